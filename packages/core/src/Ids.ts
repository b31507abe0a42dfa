/**
 * Names of things that outlive a process.
 */
import * as Schema from "effect/Schema"

/** Names a session everywhere: the store, the command line, URLs. */
export const SessionId = Schema.NonEmptyString.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** Content address of a large value: `sha256:<hex>`. The store keeps each content once. */
export const BlobRef = Schema.Struct({ hash: Schema.String, bytes: Schema.Int, mediaType: Schema.String })
export type BlobRef = typeof BlobRef.Type
