/** What tests of agents, runtimes and stores stand on. */
export { ScriptedModel, type Reply, type Script, type ScriptOptions } from "./ScriptedModel.ts"
export { runCase, runtimeCases, runtimeConformance, type Capability, type ConformanceCase, type ConformanceOptions, type TestLibrary } from "./RuntimeConformance.ts"
export {
  runStoreCase,
  type Storage,
  type StoreCapability,
  type StoreCase,
  storeCases,
  storeConformance,
  type StoreConformanceOptions
} from "./StoreConformance.ts"
