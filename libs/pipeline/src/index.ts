export { rpcSettingsSchema } from '@touchstone/chain';
export { chainSources, type ChainSource } from './chain-source.ts';
export {
  DAY_MS,
  PROBE_INTERVAL_SECONDS,
  RETENTION_DAYS,
  SNAPSHOT_MAX_AGE_SECONDS,
  type PipelineContext,
} from './context.ts';
export { PUBLIC_DIRECTORIES, readDirectorySource, type DirectorySource } from '@touchstone/catalog';
export { releaseAbandoned } from './confirm-misses.ts';
export { createReportContext, type ReportContextOptions } from './create-report-context.ts';
export { discover, discoverDirectory, type DirectoryReport, type Sitting } from './discover.ts';
export { readHistory } from './history.ts';
export { inngestApplication } from './inngest.ts';
export type { Observed } from './observe.ts';
export { JOBS, type Job } from './jobs.ts';
export { previewReports, type Preview } from './preview.ts';
export { leaderboardAnswer, statsAnswer } from './public-answers.ts';
export { publicContext, type PublicContextOptions } from './public-context.ts';
export { maintain } from './maintain.ts';
export { createManners } from './manners.ts';
export { scoreChanged, type ScoreSummary } from './score-changed.ts';
export { record } from './record.ts';
export type { ReportContext, ReportMade, ReportOutcome, ReportProblem } from './report-context.ts';
export { settle } from './settle.ts';
export { trustReport } from './trust-report.ts';
export { claim, probe, sweep, SWEEP_LIMITS, type SweepLimits, type SweepSummary } from './sweep.ts';
