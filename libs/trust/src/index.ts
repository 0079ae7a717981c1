export { CAP_LIMITS } from './caps.ts';
export { COMPONENTS } from './components/components.ts';
export { CHANGE_COSTS } from './components/market-components.ts';
export { COMPLIANCE_VALUES } from './components/service-components.ts';
export { CONFIDENCE } from './confidence.ts';
export { CURVES } from './components/curves.ts';
export { FLAG_CATALOGUE } from './flags/flags.ts';
export { GRADE_THRESHOLDS, gradeOf } from './recommendation/grade.ts';
export { bucketOf, LATENCY_BUCKETS, mergeHistograms, percentile } from './latency-histogram.ts';
export { RECOMMENDATION_RULES } from './recommendation/recommendation.ts';
export type { Difference } from './recompute/differences.ts';
export { recompute, type Fault, type Recomputed } from './recompute/recompute.ts';
export {
  assembleReport,
  type ReportFacts,
  type SettlementFacts,
  type TermsFacts,
} from './report/assemble-report.ts';
export { publishable } from './report/report-inputs.ts';
export { reportedOption } from './report/report-option.ts';
export { shownResource, sixDecimals } from './report/report-values.ts';
export { score } from './score.ts';
export { WINDOW_DAYS } from './window.ts';
export { SCORING_VERSION, SCORING_VERSIONS } from './versions.ts';
export {
  readSigningKeys,
  SigningKeyError,
  type SigningKey,
  type SigningKeys,
} from './signing/read-signing-keys.ts';
export { signReport } from './signing/sign-report.ts';
export type { Subtle } from './signing/web-crypto.ts';
export { verifySignature, type SignatureCheck } from './signing/verify-signature.ts';
export { WEIGHTS } from './components/weights.ts';
export type {
  Cap,
  ChangeKind,
  Component,
  ComponentScore,
  Flag,
  FlagSeverity,
  Grade,
  Recommendation,
  ScoreInputs,
  TermsChange,
  Verdict,
} from './types.ts';
