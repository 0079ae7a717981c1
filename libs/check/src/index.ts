export {
  createCheckFacts,
  createCode,
  createRepairFacts,
  type CheckFacts,
  type RepairFacts,
} from './create-check.ts';
export { createHeadline, type ClientOutcome, type Headline } from './headline.ts';
export {
  checkEndpoint,
  createOfflineCheck,
  NotCheckedError,
  type CheckNetwork,
  type CheckResult,
} from './check-endpoint.ts';
export { getSharedUntil } from './shared-time.ts';
export {
  createPlaceholderNotes,
  createRedirectNote,
  describeUndetermined,
  findPlaceholders,
  findRetryAfter,
  METHODS,
  type Advice,
} from './notes.ts';
