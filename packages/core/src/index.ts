/** Agents that write code on live objects: contracts, loop, boundary, events. */
export { type ActionFormat, Agent, type AgentDefinition } from "./Agent.ts"
export type { AgentHandle, AgentModule, AgentOptions } from "./AgentHandle.ts"
export type { AnySchema } from "./AnySchema.ts"
export { Approvals, type Decided, Decision, type PendingApproval, type Question } from "./Approvals.ts"
export type { ApprovalQueue, DecidedBy } from "./approvals/ApprovalQueue.ts"
export type { WaitingApproval } from "./approvals/WaitingApproval.ts"
export type { Answering } from "./approvals/Callback.ts"
export {
  type AgentBinding,
  Binding,
  type Bound,
  type Builtin,
  type FunctionBinding,
  type Methods,
  type ResourceBinding,
  type SecretBinding,
  type TypeBinding,
  type VariableBinding
} from "./Binding.ts"
export { type Boundary, type HostCall, HostCallError, type ScheduleFact } from "./Boundary.ts"
export { type Amount, type Budget, LimitReached } from "./Budget.ts"
export type { CallContext } from "./CallContext.ts"
export { type Cell, CellProblem, CellReport, Entropy, NamespaceDiff, type ParsedCell, Variable } from "./Cell.ts"
export { Compactor, type LongPrompt } from "./Compactor.ts"
export { type Contract, Effects } from "./Contract.ts"
export { Defaults } from "./Defaults.ts"
export { decodeEvent, encodeEvent, Event, eventVersion, Recorded, UnknownEvent } from "./Event.ts"
export { EventBus, type Live, type Origin } from "./EventBus.ts"
export { type AfterHostCall, type BeforeHostCall, type BeforeStop, type Gated, Gates } from "./Gates.ts"
export { BlobRef, SessionId } from "./Ids.ts"
export { InvalidInput } from "./InvalidInput.ts"
export { type CellLimits, countCellLimits, type CountedCellLimits, type Limits, type Unit } from "./Limits.ts"
export { Action, Message } from "./Message.ts"
export { FinishReason, Model, type ModelInfo, type ModelPart, type ModelRequest, Purpose } from "./Model.ts"
export { ModelError, ModelFailure } from "./ModelError.ts"
export { type Outcome, OutcomeError, OutcomeReason, OutcomeRecord } from "./Outcome.ts"
export { type Observer, Observers } from "./Observers.ts"
export { type MediaPart, type MediaSource, Part, type UserPrompt } from "./Part.ts"
export { currentCall, Platform } from "./Platform.ts"
export { type Caller, Policy, type Verdict } from "./Policy.ts"
export type { Most, Rule } from "./policy/Rule.ts"
export type { Test } from "./policy/Test.ts"
export type { Price, PriceTable } from "./PriceTable.ts"
export { Prompt } from "./Prompt.ts"
export { Resilience } from "./Resilience.ts"
export { type Diverged, type Runtime, RuntimeError, RuntimeFactory } from "./Runtime.ts"
export { Secret } from "./Secret.ts"
export { Secrets } from "./Secrets.ts"
export { Security } from "./Security.ts"
export type {
  CallRule,
  CodeFromTextRule,
  ComputedCallRule,
  CustomRule,
  GlobalRule,
  Granted,
  ImportRule,
  PatternRule,
  PresetRule,
  PropertyRule,
  SecurityRule,
  TamperingRule
} from "./security/SecurityRule.ts"
export {
  type OpenOptions,
  type Parent,
  type Running,
  type RunOptions,
  Session,
  type SessionFailure,
  type SessionPage,
  type SessionServices
} from "./Session.ts"
export { SessionBusy } from "./SessionBusy.ts"
export { type FirstJournal, type Journal, type SessionQuery, SessionStore, Signal } from "./SessionStore.ts"
export { addToTally, searchable, SessionSummary, summarise, summaryOf, Tally } from "./SessionSummary.ts"
export type { Skill } from "./Skill.ts"
export { Snapshot } from "./Snapshot.ts"
export { spokenPrompt } from "./SpokenPrompt.ts"
export { blobsIn, fromStored, jsonOfOwn, type StoredEvent, toStored } from "./StoredEvent.ts"
export { StoreError } from "./StoreError.ts"
export { Taint } from "./Taint.ts"
export { Tokenizer } from "./Tokenizer.ts"
export { TypeChecker } from "./TypeChecker.ts"
export { addUsage, noUsage, Usage } from "./Usage.ts"
export { decodeValue, typeName, Value, ValueRoom } from "./Value.ts"
