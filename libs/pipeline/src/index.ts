export { PROBE_INTERVAL_SECONDS, type PipelineContext } from './context.ts';
export { createBulk } from './bulk/create-bulk.ts';
export { createProbers, createProbeSender, createSiteSender, formatUserAgent } from './create-probers.ts';
export { createJobContexts } from './create-job-contexts.ts';
export { discover, type DirectoryReading } from './discovery/discover.ts';
export { toProviderTag } from './pages.ts';
export { createInngestApplication } from './inngest/inngest-application.ts';
export { InvalidResourceError } from './problem.ts';
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
export { createReportContext } from './reports/create-report-context.ts';
export { readHistory } from './reports/history.ts';
export { createPreview } from './reports/preview.ts';
export { toLeaderboard, toStats } from './reports/public-responses.ts';
export type { ReportContext } from './reports/report-context.ts';
export { createTrustReport } from './reports/trust-report.ts';
export { scoreChanged } from './scoring/score-changed.ts';
export { findAlternatives } from './search/find-alternatives.ts';
export type { SearchContext, SearchProblem } from './search/search-context.ts';
export { searchEndpoints } from './search/search-endpoints.ts';
export { createChainSources, readChainFault, rpcSettingsSchema, type ChainSource } from './chain-source.ts';
export { settle } from './settlement/settle.ts';
export { recordStatistics } from './statistics/record-statistics.ts';
export { createEndpointSummary, type SummaryRequest } from './summaries/create-endpoint-summary.ts';
export { cancelWatch, editWatch, type EditRequest } from './watches/edit-watch.ts';
export { createWatch, renewWatch } from './watches/buy-watch.ts';
export { readAttempts, readWatch, readWatchEvents } from './watches/read-watch.ts';
export type { WatchContext, WatchCredentials, WatchProblem, WatchResult } from './watches/watch-context.ts';
