/**
 * What goes wrong with providers, as data: what a server does, in which phase, and what must come of it. Bodies have
 * the shapes that the providers document or were seen to send.
 */
import type { FailureRow } from "./failures/FailureRow.ts"
import { final } from "./failures/Final.ts"
import { passing, staying } from "./failures/Passing.ts"
import { broken, ended } from "./failures/Streams.ts"

export const failures: ReadonlyArray<FailureRow> = [...final, ...staying, ...passing, ...broken, ...ended]
