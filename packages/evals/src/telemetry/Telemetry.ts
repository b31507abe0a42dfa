/**
 * Runs as spans of OpenTelemetry while they happen, by its conventions for generative AI: `invoke_agent` for a run,
 * `chat` for a model call, `execute_tool` for a cell and for each call it makes into the application, sub-agents inside
 * of the calls they served. Nothing leaves the process unless `otlp` says where to.
 */
import { EventBus } from "@daylight/core"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Tracer from "effect/Tracer"
import { LiveSpans } from "./LiveSpans.ts"

export interface TelemetryOptions {
  /** Also prompts, answers, code, arguments and results. Default `false`: they may hold what is nobody's business. */
  readonly content?: boolean | undefined
}

export interface OtlpOptions extends TelemetryOptions {
  /** Of the collector, with its path, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default `daylight`. */
  readonly serviceName?: string | undefined
  readonly serviceVersion?: string | undefined
  /** Between two exports. Default 5 s. What is left goes out when the layer is closed. */
  readonly exportInterval?: Duration.Input | undefined
}

/** Spans go to the tracer that surrounds the session: Effect's own, or any that an application has put in its place. */
const layer = ({ content = false }: TelemetryOptions = {}): Layer.Layer<never> =>
  Layer.effect(
    EventBus,
    Effect.gen(function*() {
      const { publish, subscribe } = yield* EventBus
      const spans = new LiveSpans(yield* Tracer.Tracer, content)
      return {
        publish: (live) => {
          if (live._tag === "Recorded") spans.take(live.origin, live.recorded)
          publish(live)
        },
        subscribe
      } satisfies EventBus
    })
  )

/** Spans go to a collector, as JSON over HTTP. */
const otlp = (options: OtlpOptions): Layer.Layer<never> => {
  const { content, exportInterval = "5 seconds", headers = {}, serviceName = "daylight", serviceVersion, url } = options
  const exporter = OtlpTracer.layer({ url, headers, exportInterval, resource: { serviceName, serviceVersion } }).pipe(
    Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])
  )
  return Layer.provideMerge(layer({ content }), exporter)
}

/** Layers for `createAgent({ services })`, or for `Effect.provide`. */
export const Telemetry = { layer, otlp }
