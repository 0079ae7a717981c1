export { CAP_LIMITS } from './caps.ts';
export { COMPONENTS } from './components.ts';
export { CHANGE_COSTS } from './components-market.ts';
export { COMPLIANCE_VALUES } from './components-service.ts';
export { CONFIDENCE } from './confidence.ts';
export { CURVES } from './curves.ts';
export { FLAG_CATALOGUE } from './flags.ts';
export { GRADE_THRESHOLDS, gradeOf } from './grade.ts';
export { bucketOf, LATENCY_BUCKETS, mergeHistograms, percentile } from './latency-buckets.ts';
export { RECOMMENDATION_RULES } from './recommend.ts';
export type { Difference } from './differences.ts';
export { recompute, type Fault, type Recomputed } from './recompute.ts';
export { assembleReport, type ReportFacts, type SettlementFacts, type TermsFacts } from './report.ts';
export { publishable } from './report-inputs.ts';
export { reportedOption } from './report-option.ts';
export { shownResource, sixDecimals } from './report-values.ts';
export { score } from './score.ts';
export { WINDOW_DAYS } from './time.ts';
export { SCORING_VERSION, SCORING_VERSIONS } from './versions.ts';
export {
  readSigningKeys,
  SigningKeyError,
  type SigningKey,
  type SigningKeys,
} from './signing/read-signing-keys.ts';
export { signReport } from './signing/sign-report.ts';
export type { Subtle } from './signing/subtle.ts';
export { verifySignature, type SignatureCheck } from './signing/verify-signature.ts';
export { WEIGHTS } from './weights.ts';
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
