/** Every default of the engine, with its unit. */
export const Defaults = {
  /** Model calls of a run. */
  steps: 10,
  cell: {
    /** Wall clock of a cell; pauses while a person is asked. */
    time: "30 seconds",
    /** Time without yielding to the event loop. */
    cpu: "1 second",
    outputBytes: 1_000_000,
    inlineChars: 5_000,
    previewChars: 2_000,
    /** How often it is begun at most, where a sealed runtime loses its process. */
    attempts: 3
  },
  /** Tokens that a call's output is never clamped below; if they are not affordable, the limit is reached. */
  minOutputTokens: 1_024,
  /** Part of a run's time that is kept for the wrap-up call, and the most that is kept. */
  wrapUpTime: { share: 0.25, most: "30 seconds" },
  /**
   * How long, and for how many tokens, a stream is read on after its first complete block, for the usage that comes
   * last.
   */
  drain: { time: "2 seconds", tokens: 256 },
  /**
   * Part of the context window that is left for the answer, and a margin for what estimates miss; and the most of both,
   * in tokens.
   */
  window: { reserve: { share: 0.25, most: 16_000 }, margin: { share: 0.1, most: 13_000 } },
  /** Repairs of an answer that does not fit its schema, before the run ends as `invalid_answer`. */
  answerRepairs: 2,
  /** The same cell with the same result: this often, and the model is told; this often, and the run ends as `stuck`. */
  stuck: { told: 3, ended: 5 },
  /** How long a run waits for a person before it ends as `waiting`. `undefined`: for ever. */
  approvalPatience: undefined,
  /** JSON tools that run at the same time in the `functions` format. */
  functionConcurrency: 8
} as const
