export { CAP_LIMITS } from './caps.ts';
export { WEIGHTS } from './components.ts';
export { FLAG_CATALOGUE } from './flags.ts';
export { GRADE_THRESHOLDS, gradeOf } from './grade.ts';
export { bucketOf, LATENCY_BUCKETS, mergeHistograms, percentile } from './latency-buckets.ts';
export { CHANGE_COSTS, COMPLIANCE_VALUES, CURVES } from './measures.ts';
export { score, SCORING_VERSION } from './score.ts';
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
