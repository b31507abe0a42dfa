/**
 * A schema of any library: what an application brings to describe arguments, results and answers.
 */
import type * as Schema from "effect/Schema"
import type * as StandardSchema from "effect/StandardSchema"

/** Any schema an application may bring: Effect Schema, Zod, Valibot, ArkType. */
export type AnySchema<A> = Schema.Decoder<A> | StandardSchema.StandardSchemaV1<any, A>
