/** `daylight sessions list`: one page of the sessions of a store, latest activity first. */
import { answer } from "../Answer.ts"
import { span } from "../renderer/Paint.ts"
import { type StorePlace, withStore } from "../StoreAccess.ts"
import { queryOf, type SessionFilter } from "./SessionFilter.ts"
import { sessionTable } from "./SessionRows.ts"

export interface ListInput extends SessionFilter {
  readonly place: StorePlace
  readonly limit: number
  readonly cursor: string | undefined
  readonly json: boolean
}

export const list = ({ cursor, json, limit, place, ...filter }: ListInput): Promise<number> =>
  answer((print) =>
    withStore(place, async (opened) => {
      const query = await queryOf(opened, filter)
      const { items, next } = await opened.Effect.runPromise(opened.store.list({ ...query, cursor, limit }))
      if (json) {
        for (const each of items) print.json(each)
        if (next !== undefined) print.json({ next })
        return
      }
      if (items.length === 0) print.row([span("There are no such sessions.", "dim")])
      else for (const row of sessionTable(items, process.stdout.columns ?? Infinity)) print.row(row)
      if (next !== undefined) print.row([span(`There are more: --cursor ${quoted(next)}`, "dim")])
    })
  )

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
