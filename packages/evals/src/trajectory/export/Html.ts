/**
 * A trajectory as one page that needs nothing else: it opens from a disk, holds no script and loads nothing. What
 * models and tools wrote stands in it as text.
 */
import { textOf } from "../Contents.ts"
import { type CallExtra, daylightOf, type HostCallExtra, type RootExtra, type StepExtra } from "../Daylight.ts"
import { codeOf } from "../ToEvents.ts"
import type { Content, Step, ToolCall, Trajectory } from "../Trajectory.ts"

export const toHtml = (trajectory: Trajectory): string => [...htmlOf(trajectory)].join("")

/** The same in pieces, for trajectories that are too large for one text. */
export function* htmlOf(trajectory: Trajectory): Generator<string, void, undefined> {
  yield* htmlStart(trajectory, trajectory.steps.length)
  for (const step of trajectory.steps) yield* htmlOfStep(step, trajectory)
  yield* htmlEnd(trajectory)
}

/** All before the steps, of which there are `count`. */
export function* htmlStart(trajectory: Trajectory, count: number): Generator<string, void, undefined> {
  const title = `${trajectory.agent.name}${trajectory.session_id === undefined ? "" : ` · ${trajectory.session_id}`}`
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
`
  yield bodyStart(trajectory, count, 1)
}

/** A step of the trajectory itself, with the sub-agents that it called. */
export const htmlOfStep = (step: Step, trajectory: Trajectory): Generator<string, void, undefined> =>
  stepHtml(step, trajectory, 1)

export function* htmlEnd(trajectory: Trajectory): Generator<string, void, undefined> {
  yield* bodyEnd(trajectory)
  yield "</main>\n</body>\n</html>\n"
}

function* body(trajectory: Trajectory, level: number): Generator<string, void, undefined> {
  yield bodyStart(trajectory, trajectory.steps.length, level)
  for (const step of trajectory.steps) yield* stepHtml(step, trajectory, level)
  yield* bodyEnd(trajectory)
}

const bodyStart = (trajectory: Trajectory, count: number, level: number): string => {
  const { agent, final_metrics: totals } = trajectory
  const { status } = daylightOf<RootExtra>(trajectory)
  const facts = [
    agent.model_name,
    status,
    `${count} steps`,
    totals?.total_prompt_tokens === undefined
      ? undefined
      : `${totals.total_prompt_tokens} tokens in, ${totals.total_completion_tokens ?? 0} out`,
    totals?.total_cost_usd === undefined ? undefined : `$${totals.total_cost_usd.toFixed(4)}`
  ].filter((fact) => fact !== undefined)
  return `<h${level}>${text(agent.name)}</h${level}>\n<p class="facts">${
    facts.map(text).join(" · ")
  }</p>\n<ol class="steps">\n`
}

function* bodyEnd(trajectory: Trajectory): Generator<string, void, undefined> {
  const { runs = [] } = daylightOf<RootExtra>(trajectory)
  yield "</ol>\n"
  for (const { outcome } of runs) {
    if (outcome !== undefined) {
      yield `<p class="outcome ${outcome.reason === "completed" ? "ok" : "bad"}">${text(outcome.reason)}${
        outcome.error === undefined ? "" : `: ${text(outcome.error.message)}`
      }</p>\n`
    }
  }
}

function* stepHtml(step: Step, trajectory: Trajectory, level: number): Generator<string, void, undefined> {
  const extra = daylightOf<StepExtra>(step)
  const facts = [
    step.model_name,
    extra.durationMs === undefined ? undefined : `${extra.durationMs} ms`,
    step.metrics?.prompt_tokens === undefined
      ? undefined
      : `${step.metrics.prompt_tokens} → ${step.metrics.completion_tokens ?? 0} tokens`,
    extra.finishReason
  ].filter((fact) => fact !== undefined)
  yield `<li id="s${level}-${step.step_id}" class="${step.source}"><header><b>${step.step_id} ${step.source}</b> <span>${
    facts.map(text).join(" · ")
  }</span></header>\n`
  if (step.reasoning_content !== undefined) {
    yield `<details><summary>reasoning</summary><pre>${text(step.reasoning_content)}</pre></details>\n`
  }
  if (extra.error !== undefined) yield `<pre class="bad">${text(JSON.stringify(extra.error))}</pre>\n`
  yield contentHtml(step.message, step.source === "system")
  for (const call of step.tool_calls ?? []) {
    yield callHtml(call)
    const result = step.observation?.results.find(({ source_call_id: id }) => id === call.tool_call_id)
    for (const host of daylightOf<CallExtra>(call).calls ?? []) yield hostHtml(host)
    if (result !== undefined) yield `<pre class="result">${text(textOf(result.content))}</pre>\n`
    for (const { trajectory_id: id } of result?.subagent_trajectory_ref ?? []) {
      const child = trajectory.subagent_trajectories?.find(({ trajectory_id }) => trajectory_id === id)
      if (child === undefined) continue
      yield `<details class="child"><summary>${text(child.agent.name)}</summary>\n`
      yield* body(child, Math.min(6, level + 1))
      yield "</details>\n"
    }
  }
  yield "</li>\n"
}

const contentHtml = (content: Content, folded: boolean): string => {
  const shown = textOf(content)
  if (shown === "") return ""
  const pre = `<pre class="message">${text(shown)}</pre>\n`
  return folded ? `<details><summary>${text(shown.split("\n")[0]!.slice(0, 80))}</summary>${pre}</details>\n` : pre
}

const callHtml = (call: ToolCall): string => {
  const { durationMs, rawArguments, status } = daylightOf<CallExtra>(call)
  const shown = codeOf(call) ?? rawArguments ?? JSON.stringify(call.arguments, null, 2)
  const bad = status !== undefined && status !== "ok" && status !== "pending"
  return `<div class="call"><span class="${bad ? "bad" : "ok"}">${text(call.function_name)}${
    status === undefined ? "" : ` · ${status}`
  }${durationMs === undefined ? "" : ` · ${durationMs} ms`}</span><pre class="code">${text(shown)}</pre></div>\n`
}

const hostHtml = ({ args, durationMs, error, path, status, value }: HostCallExtra): string => {
  const plain = (of: unknown): string =>
    JSON.stringify(
      of,
      (_, part: unknown) =>
        typeof part === "object" && part !== null && "_tag" in part && "value" in part ? part.value : part
    ) ?? ""
  const came = status === "completed" ? plain(value) : plain(error)
  return `<p class="host"><span class="${status === "completed" ? "ok" : "bad"}">→ ${text(path)}(${
    text(plain(args).slice(1, -1))
  })</span> ${text(status)}${durationMs === undefined ? "" : ` · ${durationMs} ms`} <code>${text(came)}</code></p>\n`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const text = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => entities[character]!).replaceAll("\u0000", "\ufffd")

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bad: #c33; --ok: #287; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
.steps { list-style: none; padding: 0; }
.steps > li { border-left: 3px solid var(--line); margin: 1rem 0; padding: 0 0 0 1rem; }
.steps > li.user { border-color: #48c; } .steps > li.agent { border-color: var(--ok); }
header span, .facts, summary { opacity: .75; font-size: .9em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; font: 13px/1.45 ui-monospace, monospace; }
.message { font: inherit; } .code, .result { background: var(--soft); border-radius: 6px; padding: .6rem .8rem; }
.result { opacity: .85; } .bad { color: var(--bad); } .ok { color: var(--ok); }
.host { font-size: .9em; margin: .2rem 0 .2rem 1rem; } code { overflow-wrap: anywhere; }
.child { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin: .5rem 0; }
`
