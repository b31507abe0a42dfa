/**
 * What is known of providers and models, as plain data: for programs that only show it. Importing this loads no more.
 */
export * as Catalogue from "./Catalogue.ts"
export { type NamedProvider, providers } from "./NamedProvider.ts"
