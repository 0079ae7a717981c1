export { PROBE_INTERVAL_SECONDS, type PipelineContext } from './context.ts';
export { createJobProofReader, createProbers, createProbeSender, formatUserAgent } from './create-probers.ts';
export { createJobContexts } from './create-job-contexts.ts';
// Re-exported for apps that are not allowed to import `@touchstone/delivery`.
export {
  deliveryBudgetSchema,
  deliveryKeySchema,
  deliverySkipSchema,
  toPurchaseSettings,
} from '@touchstone/delivery';
export { discover, type DirectoryReading } from './discovery/discover.ts';
export { toClaimTag, toEndpointTag, toProviderTag } from './pages.ts';
export { createInngestApplication } from './inngest/inngest-application.ts';
export { JOBS, type Job } from './jobs.ts';
export { maintain } from './maintenance/maintain.ts';
export { createHostRateLimiter } from './host-rate-limiter.ts';
export type { ObservedProbe } from './probing/observe.ts';
export { probeWithoutRecording } from './probing/probe-claimed.ts';
export {
  claimAndProbe,
  claimDueSlots,
  releaseAbandonedLeases,
  type BatchLimits,
} from './probing/probe-due.ts';
export { recordProbes } from './probing/record.ts';
export { scoreChanged } from './scoring/score-changed.ts';
export { createChainSources, readChainFault, rpcSettingsSchema, type ChainSource } from './chain-source.ts';
export { settle } from './settlement/settle.ts';
export { recordStatistics } from './statistics/record-statistics.ts';
export { cancelWatch, editWatch, type EditRequest } from './watches/edit-watch.ts';
export { createWatch } from './watches/buy-watch.ts';
export { readAttempts, readWatch, readWatchEvents } from './watches/read-watch.ts';
export type { WatchContext, WatchProblem, WatchResult } from './watches/watch-context.ts';
