/** Where session logs live. */
export { SqliteStore, type SqliteStoreOptions } from "./SqliteStore.ts"
export { StoreDefaults } from "./StoreDefaults.ts"
