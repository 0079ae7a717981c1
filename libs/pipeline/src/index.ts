export {
  PROBE_INTERVAL_SECONDS,
  RETENTION_DAYS,
  SNAPSHOT_MAX_AGE_SECONDS,
  type PipelineContext,
} from './context.ts';
export { createBulk, type BulkContext } from './bulk/create-bulk.ts';
export {
  createProbers,
  createProbeSender,
  createSiteSender,
  formatUserAgent,
  type ProbersOptions,
} from './create-probers.ts';
export { createJobContexts, type JobContextOptions } from './create-job-contexts.ts';
export {
  discover,
  discoverDirectory,
  type DirectoryReading,
  type DiscoverOptions,
} from './discovery/discover.ts';
export { toProviderTag } from './pages.ts';
export { createInngestApplication } from './inngest/inngest-application.ts';
export { InvalidResourceError, type ReportProblem } from './problem.ts';
export { JOBS, type Job } from './jobs.ts';
export { maintain } from './maintenance/maintain.ts';
export { createHostRateLimiter } from './host-rate-limiter.ts';
export type { ObservedProbe } from './probing/observe.ts';
export { probeWithoutRecording } from './probing/probe-claimed.ts';
export {
  claimAndProbe,
  claimDueSlots,
  DEFAULT_BATCH_LIMITS,
  releaseAbandonedLeases,
  type BatchLimits,
  type BatchSummary,
} from './probing/probe-due.ts';
export { recordProbes } from './probing/record.ts';
export { createReportContext, type ReportContextOptions } from './reports/create-report-context.ts';
export { readHistory } from './reports/history.ts';
export { createPreview, type Preview } from './reports/preview.ts';
export { toLeaderboard, toStats } from './reports/public-responses.ts';
export type { ReportContext, ReportMade, ReportOutcome } from './reports/report-context.ts';
export { createTrustReport } from './reports/trust-report.ts';
export { scoreChanged, type ScoreSummary } from './scoring/score-changed.ts';
export { findAlternatives, type AlternativesRequest } from './search/find-alternatives.ts';
export { refreshSearch, type SearchSummary } from './search/refresh-search.ts';
export type { SearchContext, SearchProblem } from './search/search-context.ts';
export { searchEndpoints, type SearchRequest } from './search/search-endpoints.ts';
export { createChainSources, readChainFault, rpcSettingsSchema, type ChainSource } from './chain-source.ts';
export { settle } from './settlement/settle.ts';
export { recordStatistics } from './statistics/record-statistics.ts';
export {
  createEndpointSummary,
  type SummaryContext,
  type SummaryRequest,
} from './summaries/create-endpoint-summary.ts';
export { cancelWatch, editWatch, type EditRequest } from './watches/edit-watch.ts';
export { createWatch, renewWatch } from './watches/buy-watch.ts';
export {
  readAttempts,
  readWatch,
  readWatchEvents,
  type WatchAttempt,
  type EventsRequest,
} from './watches/read-watch.ts';
export type { WatchContext, WatchCredentials, WatchProblem, WatchResult } from './watches/watch-context.ts';
