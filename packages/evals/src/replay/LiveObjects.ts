/**
 * How live objects look, in a replay in which they only stand for what they were: as they looked when it was recorded.
 * What a model is told of them would else differ, although no cell did anything else.
 */
import type { AgentOptions, CellReport, Variable } from "@daylight/core"
import type { RecordedCell } from "../cassette/Cassette.ts"
import { canonical } from "../internal/Canonical.ts"

export class LiveObjects {
  /** Of bindings. */
  readonly #names: ReadonlySet<string>
  /** Of what the host gave. */
  readonly #types: ReadonlySet<string>

  constructor({ bindings = [] }: AgentOptions, cells: ReadonlyArray<RecordedCell>) {
    this.#names = new Set(
      bindings.flatMap((binding) =>
        binding._tag === "Resource" || (binding._tag === "Variable" && typeof binding.value === "object")
          ? [binding.name]
          : []
      )
    )
    this.#types = new Set(
      cells.flatMap(({ events }) =>
        events.flatMap((event) => event._tag === "CallEnded" && event.value?._tag === "Ref" ? [event.value.type] : [])
      )
    )
  }

  /** `told`: what the model was told of the variables at that moment, one a line. */
  described(variables: ReadonlyArray<Variable>, told: string): ReadonlyArray<Variable> {
    const lines = new Map(
      told.split("\n").map((line) => {
        const [name = "", ...rest] = line.split(": ")
        return [name, rest.join(": ")] as const
      })
    )
    return variables.map((variable) => {
      const line = this.#isLive(variable) ? lines.get(variable.name) : undefined
      return line === undefined ? variable : { name: variable.name, type: line, sample: "" }
    })
  }

  /** What came, with live objects as they were. */
  seen(recorded: CellReport, came: CellReport): CellReport {
    const { namespace, preview, stderr, stdout } = recorded
    const same = canonical(this.#plain(namespace)) === canonical(this.#plain(came.namespace))
    const { problem } = came
    return {
      ...came,
      // What is wrong is told by name and message; a hint may come from what an error of the host had besides.
      ...(problem?.name === recorded.problem?.name && problem?.message === recorded.problem?.message &&
        recorded.problem !== undefined && { problem: recorded.problem }),
      preview: this.#text(preview, came.preview),
      stdout: this.#text(stdout, came.stdout),
      stderr: this.#text(stderr, came.stderr),
      namespace: same ? namespace : came.namespace
    }
  }

  #isLive({ name, type }: Variable): boolean {
    return this.#names.has(name) || this.#types.has(type)
  }

  #plain({ added, changed, removed }: CellReport["namespace"]) {
    const plain = (variables: ReadonlyArray<Variable>) => variables.filter((variable) => !this.#isLive(variable))
    return { added: plain(added), changed: plain(changed), removed }
  }

  /** A text in which one is printed. */
  #text(recorded: string, came: string): string {
    const shown = [...this.#types].some((type) => recorded.includes(type) && came.includes(type))
    return shown ? recorded : came
  }
}
