/** The `daylight` command, as `bin/daylight.js` loads it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { createRequire } from "node:module"
import { daylight } from "./Command.ts"
import * as ExitCode from "./ExitCode.ts"
import { wantsColor } from "./renderer/Paint.ts"

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }

/** A reader that went away, as in `daylight run ... | head`, is no error. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit(process.exitCode ?? 0)
})

const formatter = (stream: NodeJS.WriteStream) =>
  CliOutput.defaultFormatter({ colors: wantsColor(stream.isTTY === true, process.env) })

/** Standard output holds what was asked for; what is wrong with an invocation goes to standard error. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.sync(() => {
        const help = `${event.commandPath.join(" ")} --help`
        const errors = formatter(process.stderr).formatErrors(event.errors)
        process.stderr.write(`${errors}\n\n${help} tells how to use it.\n`)
      })
      : CliOutput.defaultPresenter.present(event)
}

const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

const program = Command.run(daylight, { version }).pipe(
  Effect.provide(NodeServices.layer),
  Effect.provideContext(
    Context.make(CliOutput.Formatter, formatter(process.stdout)).pipe(
      Context.add(CliOutput.Presenter, presenter),
      // No --log-level: DAYLIGHT_LOG also reaches the engine.
      Context.add(CliConfig.CliConfig, CliConfig.make({ builtIns }))
    )
  )
)

// A model that waits without a socket or a timer, as a scripted one does, would let Node end in the middle of a run.
const alive = setInterval(() => {}, 2 ** 30)
const exit = await Effect.runPromiseExit(program)
clearInterval(alive)
if (Exit.isFailure(exit)) process.exitCode = codeOf(exit.cause)
// An agent's file may have left a timer or a connection open; what was written to a pipe goes out first.
process.stdout.write("", () => process.exit())

function codeOf(cause: Cause.Cause<unknown>): number {
  const error = Cause.squash(cause)
  if (CliError.isCliError(error) && error._tag === "ShowHelp") return error.errors.length > 0 ? ExitCode.usage : 0
  process.stderr.write(`${Cause.pretty(cause)}\n`)
  return ExitCode.failure
}
