/**
 * A stream of model parts that a decorator may open more than once. Each opening has a scope of its own, closed before
 * the next one begins, so that no two attempts hold a socket.
 */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ModelPart } from "../Model.ts"
import type { ModelError } from "../ModelError.ts"

export type Parts = NonEmptyReadonlyArray<ModelPart>
export type PartsPull = Pull.Pull<Parts, ModelError>

export interface Source {
  /** The next parts of what is open. Opens `first` when nothing is. */
  readonly pull: PartsPull
  /** Closes what is open; the next `pull` opens this. */
  readonly reopen: (stream: Stream.Stream<ModelPart, ModelError>) => Effect.Effect<void>
}

/** A stream that is told how to pull from its source, anew for each run. */
export const fromSource = (
  first: () => Stream.Stream<ModelPart, ModelError>,
  pulling: (source: Source) => PartsPull
): Stream.Stream<ModelPart, ModelError> =>
  Stream.fromChannel(Channel.fromTransform((_, scope) => Effect.sync(() => pulling(makeSource(first, scope)))))

const makeSource = (first: () => Stream.Stream<ModelPart, ModelError>, scope: Scope.Scope): Source => {
  let next = first
  let current: PartsPull | undefined
  let own: Scope.Closeable | undefined
  return {
    pull: Effect.suspend(() => {
      if (current !== undefined) return current
      own = Scope.forkUnsafe(scope)
      return Effect.flatMap(Channel.toPullScoped(next().channel, own), (pull) => current = pull as PartsPull)
    }),
    reopen: (stream) =>
      Effect.suspend(() => {
        next = () => stream
        current = undefined
        return own === undefined ? Effect.void : Scope.close(own, Exit.void)
      })
  }
}

/** Success, failure and end of a pull, told apart. */
export const onPull = (
  pull: PartsPull,
  onParts: (parts: Parts) => PartsPull,
  onError: (error: ModelError) => PartsPull,
  onDone: () => PartsPull = Cause.done
): PartsPull =>
  Effect.matchEffect(pull, {
    onSuccess: onParts,
    onFailure: (error) => Cause.isDone(error) ? onDone() : onError(error)
  })
