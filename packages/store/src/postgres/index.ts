/** Sessions in a Postgres database. */
export { PostgresStore, type PostgresStoreOptions } from "./PostgresStore.ts"
