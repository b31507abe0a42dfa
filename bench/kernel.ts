/**
 * Rows 5 and 6: what a process of its own costs a cell, how soon one is there, and how little of it the host feels.
 * Cells have a text of their own each, else V8 would compile it once for all.
 */
import {
  Binding,
  type Bound,
  type Boundary,
  type CellLimits,
  Platform,
  type Runtime,
  RuntimeFactory,
  SessionId
} from "@daylight/core"
import { parseCell } from "@daylight/core/syntax"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Line } from "./support/Figure.ts"
import { inRounds } from "./support/Rounds.ts"
import { type Samples, summaryOf, summaryOfNumbers } from "./support/Samples.ts"
import { printTable } from "./support/Table.ts"

const limits: CellLimits = {
  time: "1 minute",
  cpu: "30 seconds",
  outputBytes: 1_000_000,
  inlineChars: 5_000,
  previewChars: 2_000
}
const mebibyte = 2 ** 20

const boundary: Boundary = {
  invoke: (call, perform) =>
    Effect.suspend(() => {
      const value = perform(call.args, undefined as never)
      return value instanceof Promise ? Effect.promise(() => value) : Effect.succeed(value)
    })
}

const bindings: ReadonlyArray<Bound> = [
  Binding.func(async (id: number) => ({ id, amount: id * 2 }), {
    name: "lookup",
    effect: "none",
    approval: () => false
  }) as Bound,
  Binding.variable(
    "live",
    new (class Live {
      n = 1
    })()
  ) as Bound
]

interface Opened {
  readonly runtime: Runtime
  readonly run: (code: string, own?: Partial<CellLimits>) => Promise<unknown>
  readonly close: () => Promise<void>
}

let cells = 0

const open = async (layer: Layer.Layer<RuntimeFactory>): Promise<Opened> => {
  const scope = Scope.makeUnsafe()
  const runtime = await Effect.runPromise(
    Effect.flatMap(RuntimeFactory, (factory) => factory.open({ session: SessionId.make("bench"), boundary }))
      .pipe(Effect.provideService(Scope.Scope, scope), Effect.provide(layer))
  )
  await Effect.runPromise(runtime.bind(bindings))
  return {
    runtime,
    run: async (code, own) => {
      const parsed = parseCell(`${code}\n// ${++cells}`, Platform.defaultValue().strip)
      if ("stage" in parsed) throw new Error(parsed.message)
      const { report, value } = await Effect.runPromise(
        runtime.execute({ id: cells, parsed, seed: "bench", limits: { ...limits, ...own } })
      )
      if (report.problem !== undefined && own === undefined) throw new Error(report.problem.message)
      return value
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Milliseconds that `act` takes. */
const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const at = performance.now()
  await act()
  return performance.now() - at
}

const cellsBeyond = async (): Promise<ReadonlyArray<Line>> => {
  const [kernel, vm] = [await open(KernelRuntime.layer({ spare: false })), await open(VmRuntime.layer)]
  const several = (opened: Opened, code: string) => ({
    units: 50,
    run: async () => {
      for (let i = 0; i < 50; i++) await opened.run(code)
    }
  })
  const call = "const row = await lookup(7)\nconst total = row.amount * 2 + row.id\ntotal"
  const samples = await inRounds({
    kernelCall: several(kernel, call),
    vmCall: several(vm, call),
    kernelPlain: several(kernel, "1 + 1"),
    kernelRead: several(kernel, "live.n + 1")
  }, { rounds: 15, warmUp: 5 })
  const beyond: Samples = {
    rounds: samples.kernelCall.rounds.map((sample, i) => sample - samples.vmCall.rounds[i]!),
    intervals: []
  }
  const asynchronous: Array<number> = []
  const synchronous: Array<number> = []
  for (let i = 0; i < 15; i++) {
    asynchronous.push(
      await timed(() => kernel.run("(await Promise.all(Array.from({ length: 1000 }, (_, i) => lookup(i)))).length"))
    )
    synchronous.push(await timed(() => kernel.run("let sum = 0; for (let i = 0; i < 1000; i++) sum += live.n\nsum")))
  }
  await kernel.close()
  await vm.close()
  return [
    { what: "cell in the kernel, 1 + 1", unit: "us", ...summaryOf(samples.kernelPlain) },
    { what: "cell in the kernel, one read of a live object", unit: "us", ...summaryOf(samples.kernelRead) },
    { what: "cell in the kernel, one host call", unit: "us", ...summaryOf(samples.kernelCall) },
    { what: "the same in process", unit: "us", ...summaryOf(samples.vmCall) },
    { row: 5, what: "  beyond it", unit: "us", bar: 300, ...summaryOf(beyond) },
    {
      row: 5,
      what: "1,000 asynchronous host calls from one cell",
      unit: "ms",
      bar: 150,
      ...summaryOfNumbers(asynchronous)
    },
    { row: 5, what: "1,000 synchronous reads from one cell", unit: "ms", bar: 200, ...summaryOfNumbers(synchronous) }
  ]
}

const readiness = async (): Promise<ReadonlyArray<Line>> => {
  const cold: Array<number> = []
  const idle: Array<number> = []
  const afterCrash: Array<number> = []
  for (let i = 0; i < 9; i++) {
    const session = await open(KernelRuntime.layer({ spare: false }))
    cold.push(await timed(() => session.run("const rows = [{ id: 1 }]; function twice(x) { return x * 2 }")))
    await sleep(50)
    idle.push((KernelRuntime.inspect(session.runtime)?.residentBytes ?? 0) / 1_024)
    process.kill(KernelRuntime.inspect(session.runtime)!.pid!, "SIGKILL")
    afterCrash.push(
      await timed(async () => {
        while (KernelRuntime.inspect(session.runtime)!.pid !== undefined) await sleep(1)
        await session.run("twice(rows.length)")
      })
    )
    await session.close()
  }
  const fromSpare: Array<number> = []
  const session = await open(KernelRuntime.layer())
  await session.run("const rows = [{ id: 1 }]; function twice(x) { return x * 2 }")
  for (let i = 0; i < 9; i++) {
    await sleep(900)
    process.kill(KernelRuntime.inspect(session.runtime)!.pid!, "SIGKILL")
    while (KernelRuntime.inspect(session.runtime)!.pid !== undefined) await sleep(1)
    fromSpare.push(await timed(() => session.run("twice(rows.length)")))
  }
  await session.close()
  return [
    { row: 6, what: "kernel ready, cold, with a first cell", unit: "ms", bar: 150, ...summaryOfNumbers(cold) },
    { row: 6, what: "  from a spare, with restore and a cell", unit: "ms", bar: 10, ...summaryOfNumbers(fromSpare) },
    { row: 6, what: "  back after a crash, without a spare", unit: "ms", bar: 150, ...summaryOfNumbers(afterCrash) },
    { what: "memory of an idle kernel, resident", unit: "KB", ...summaryOfNumbers(idle) }
  ]
}

/** The longest gap of a ticker while a cell misbehaves, beyond that of a run in which nothing does. */
const hostGap = async (): Promise<ReadonlyArray<Line>> => {
  const session = await open(KernelRuntime.layer({ limits: { heapBytes: 96 * mebibyte } }))
  await session.run("1")
  const longest = async (act: () => Promise<unknown>): Promise<number> => {
    let last = performance.now()
    let gap = 0
    const timer = setInterval(() => {
      const now = performance.now()
      gap = Math.max(gap, now - last - 10)
      last = now
    }, 10)
    await act()
    clearInterval(timer)
    return gap
  }
  const short = { cpu: "300 millis", time: "1 second" } as const
  const gaps: Array<number> = []
  for (
    const code of [
      "for (;;);",
      "const f = async () => { await null; return f() }; await f()",
      "const a = new Float64Array(4e6).map(() => Math.random()); for (;;) a.slice().sort()",
      "const hog = []; for (;;) hog.push(new Array(1000).fill({}))",
      "for (let i = 0; i < 1e6; i++) console.log('spam'.repeat(100))",
      "for (let i = 0; i < 1e5; i++) setTimeout(() => {}, 0)"
    ]
  ) {
    const quiet = await longest(() => sleep(600))
    const busy = await longest(() => session.run(code, short))
    gaps.push(Math.max(0, busy - quiet))
  }
  await session.close()
  return [{ what: "longest gap of the host while a cell misbehaves", unit: "ms", bar: 50, ...summaryOfNumbers(gaps) }, {
    what: "  the worst kind of cell",
    unit: "ms",
    bar: 50,
    ...summaryOfNumbers([Math.max(...gaps)])
  }]
}

const large = async (): Promise<ReadonlyArray<Line>> => {
  const session = await open(KernelRuntime.layer({ spare: false, limits: { residentBytes: 4_096 * mebibyte } }))
  await session.run("1")
  const bytes = new Uint8Array(100_000_000).fill(7)
  const inward: Array<number> = []
  const outward: Array<number> = []
  for (let i = 0; i < 3; i++) {
    inward.push(
      await timed(async () => {
        await Effect.runPromise(session.runtime.set("bytes", bytes))
        if (await session.run("bytes.length") !== bytes.length) throw new Error("not all of it came")
      })
    )
    outward.push(await timed(() => Effect.runPromise(session.runtime.get("bytes"))))
  }
  await session.close()
  return [
    { what: "100 MB handed to a kernel", unit: "ms", ...summaryOfNumbers(inward) },
    { what: "  and back", unit: "ms", ...summaryOfNumbers(outward) }
  ]
}

await printTable(
  "The kernel",
  async () => [...await cellsBeyond(), ...await readiness(), ...await hostGap(), ...await large()]
)
