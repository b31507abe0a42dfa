/** Decorators over a model: each takes one and gives one, so they hold for scripted and replayed models too. */
export { type ContinueOptions, continuing } from "./Continuing.ts"
export { fallback, fallbackOf, type FallbackOptions } from "./Fallback.ts"
export { resilient, type ResilientOptions } from "./Resilient.ts"
export { retrying, type RetryOptions } from "./Retrying.ts"
export { route, type RouteRule } from "./Route.ts"
export { watchdog, type WatchdogOptions } from "./Watchdog.ts"
