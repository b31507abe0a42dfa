/** What tests of agents, runtimes and stores stand on. */
export { type Reply, type Script, ScriptedModel, type ScriptOptions } from "./ScriptedModel.ts"
export {
  type Capability,
  type ConformanceCase,
  type ConformanceOptions,
  runCase,
  runtimeCases,
  runtimeConformance,
  type TestLibrary
} from "./RuntimeConformance.ts"
export {
  runStoreCase,
  type Storage,
  type StoreCapability,
  type StoreCase,
  storeCases,
  storeConformance,
  type StoreConformanceOptions
} from "./StoreConformance.ts"
