/** What all providers share. Importing this loads no SDK: each has a subpath of its own. */
export * as Catalogue from "./Catalogue.ts"
export * as Named from "./Named.ts"
