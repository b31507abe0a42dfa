/**
 * A namespace at rest: what a session can be brought back from.
 */
import * as Schema from "effect/Schema"
import { NamespaceDiff } from "./Cell.ts"
import { BlobRef } from "./Ids.ts"

export const Snapshot = Schema.Struct({
  v: Schema.Literal(1),
  /** One devalue graph, so that sharing between variables survives; `HostRef` leaves name bindings. */
  data: BlobRef,
  /** Functions, classes and imports, by source text, in order. */
  sources: Schema.Array(Schema.Struct({ name: Schema.String, code: Schema.String })),
  lost: NamespaceDiff.fields.lost,
  clock: Schema.Finite,
  timers: Schema.Int,
  callbacks: Schema.Record(Schema.String, Schema.Int)
})
export type Snapshot = typeof Snapshot.Type
