/**
 * Shows the live events of a run on a terminal, or as plain text where there is none: text as it streams, cells in
 * frames with their code, calls, output and results, child agents inside the frame of the cell that called them, and
 * how the run ended. It only looks: events pass through as the same objects, nothing it is given makes it throw, and
 * nothing that a model or a program wrote can act on the terminal.
 */
import type { Live } from "@daylight/core"
import { makePaint, span, wantsColor } from "./Paint.ts"
import { Rows } from "./Rows.ts"
import { Lane, Screen, type TerminalStream } from "./Screen.ts"
import { SessionView, type SessionViewOptions } from "./SessionView.ts"

export interface TerminalRendererOptions {
  /** Where to write. Default `process.stdout`. */
  readonly stream?: TerminalStream | undefined
  /** Colours and rendered Markdown. Default: on a terminal, unless `NO_COLOR`; `FORCE_COLOR` wins. */
  readonly color?: boolean | undefined
  /** Columns. Default: those of the terminal, at each moment; no limit elsewhere. */
  readonly width?: number | undefined
  /** A line that says what goes on. Default: on a terminal outside CI. */
  readonly spinner?: boolean | undefined
  /** Show the prompt of the root agent's run. Default `true`; a chat has it on the screen already. */
  readonly prompts?: boolean | undefined
  /** Show that a call waits for approval. Default `true`; `false` where the program itself asks on this screen. */
  readonly approvals?: boolean | undefined
  /** Also show nudges in full and the events of storage and scheduling. Default `false`. */
  readonly verbose?: boolean | undefined
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

export class TerminalRenderer {
  readonly #screen: Screen
  readonly #options: Omit<SessionViewOptions, "agent">
  readonly #views = new Map<string, SessionView>()
  /** Sessions with a run, the latest to do something last. */
  #active: Array<SessionView> = []
  /** Keys of approvals whose event came, and who waits for one. */
  readonly #asked = new Set<string>()
  readonly #waiting = new Map<string, () => void>()

  constructor(options: TerminalRendererOptions = {}) {
    const stream = options.stream ?? process.stdout
    const env = options.env ?? process.env
    const isTTY = stream.isTTY === true
    const color = options.color ?? wantsColor(isTTY, env)
    this.#options = {
      markdown: color,
      verbose: options.verbose ?? false,
      prompts: options.prompts ?? true,
      approvals: options.approvals ?? true
    }
    this.#screen = new Screen({
      stream,
      paint: makePaint(color),
      width: options.width,
      spinner: options.spinner ?? (isTTY && env["TERM"] !== "dumb" && env["CI"] === undefined)
    })
  }

  /** Shows one event. Never throws: an event that cannot be shown is named in a row of its own. */
  event(live: Live): void {
    try {
      const view = this.#viewOf(live)
      if (live._tag === "Recorded") view.event(live.recorded)
      else view.delta(live._tag, live.text)
      this.#active = [...this.#active.filter((other) => other !== view), ...(view.activity === undefined ? [] : [view])]
    } catch (error) {
      this.#complain(live, error)
    }
    this.#screen.activity = this.#active.at(-1)?.activity
    this.#screen.flush()
    const event = live?._tag === "Recorded" ? live.recorded?.event : undefined
    if (event?._tag === "ApprovalAsked") this.#approvalAsked(event.key)
  }

  /** Closes what is open and takes the spinner away. Call it when no more events come; later events begin anew. */
  end(): void {
    for (const view of [...this.#views.values()].toReversed()) view.close("interrupted")
    this.#active = []
    this.#screen.settle()
    this.#screen.activity = undefined
    this.#screen.flush()
  }

  /** Shows events as they pass through. Leaving the loop early, or an error of the source, also ends the display. */
  async *render<Event extends Live>(events: AsyncIterable<Event>): AsyncGenerator<Event, void, undefined> {
    try {
      for await (const event of events) {
        this.event(event)
        yield event
      }
    } finally {
      this.end()
    }
  }

  /**
   * Keeps the screen still while a person is asked something, until the returned function is called. Events that come
   * meanwhile are shown then.
   */
  hold(): () => void {
    return this.#screen.hold()
  }

  /** Resolves when all that came before this approval was asked for is on the screen. */
  async reached(approval: string): Promise<void> {
    if (this.#asked.has(approval)) return
    await new Promise<void>((resolve) => this.#waiting.set(approval, resolve))
  }

  #approvalAsked(key: string): void {
    this.#asked.add(key)
    this.#waiting.get(key)?.()
    this.#waiting.delete(key)
  }

  #viewOf({ origin }: Live): SessionView {
    const known = this.#views.get(origin.session)
    if (known) return known
    const agent = origin.agent.at(-1) ?? "agent"
    const lane = new Lane(this.#screen, agent, Math.max(0, origin.agent.length - 1))
    const view = new SessionView(lane, { ...this.#options, agent })
    this.#views.set(origin.session, view)
    return view
  }

  #complain(live: Live, error: unknown): void {
    const tag = live?._tag === "Recorded" ? live.recorded?.event?._tag : live?._tag
    const why = error instanceof Error ? error.message : String(error)
    const rows = new Rows(new Lane(this.#screen, "renderer", 0))
    rows.noted("·", "dim", [span(`event ${tag} could not be shown: ${why}`, "dim")])
  }
}
