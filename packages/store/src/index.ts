/** Where session logs live. */
export { type Notebook, notebookOf } from "./Notebook.ts"
export { type Pruned, type PruneOptions, pruneSessions } from "./Retention.ts"
export { exportSession, importSession } from "./SessionFile.ts"
export { SqliteStore, type SqliteStoreOptions } from "./SqliteStore.ts"
export { StoreDefaults } from "./StoreDefaults.ts"
