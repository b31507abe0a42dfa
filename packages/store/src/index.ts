/** Where session logs live. */
export { StoreDefaults } from "./StoreDefaults.ts"
