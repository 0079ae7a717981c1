export { CAP_LIMITS } from './caps.ts';
export { COMPONENTS } from './components/components.ts';
export { CHANGE_COSTS } from './components/market-components.ts';
export { COMPLIANCE_VALUES } from './components/service-components.ts';
export { CONFIDENCE } from './confidence.ts';
export { FLAG_CATALOGUE } from './flags/flags.ts';
export {
  computePercentile,
  LATENCY_BUCKETS,
  MAX_PERCENTILE_ERROR_PERCENT,
  toLatencyBucket,
} from './latency-histogram.ts';
export { formatCause, formatChange, formatNotPayableReason } from './cause-texts.ts';
export { toGrade, RECOMMENDATION_RULES } from './recommendation/recommendation.ts';
export { recompute, type Recomputed, type ReportFault } from './recompute/recompute.ts';
export {
  assembleReport,
  toStoredFreshness,
  type ReportFreshness,
  type ReportOptions,
} from './report/assemble-report.ts';
export { deliveryFactsSchema, purchaseFactSchema } from './delivery-facts.ts';
export { findDeliveryState, hasFailedBuyers } from './delivery.ts';
export { toPublishableInputs } from './report/report-inputs.ts';
export { DEFAULT_VANTAGE, isVantage, normalizeUsd, toDisplayResource } from './report-values.ts';
export {
  payOnSchema,
  scoredSourceSchema,
  selectMainOption,
  toReportOption,
  type PayOn,
  type ReportFigures,
  type ScoredSource,
} from './report/scored-source.ts';
export { score, SCORING_VERSION, SCORING_VERSIONS } from './score.ts';
export { readSigningKeys, type SigningKeys } from './signing/signing-keys.ts';
export { signDocument, verifySignature, type SignatureCheck } from './signing/signatures.ts';
export { isPayToVarying, RECENT_PAYTO_DAYS, toProbeCounts, WINDOW_DAYS } from './endpoint-state.ts';
export {
  failureSchema,
  payToVariationSchema,
  redirectSchema,
  clientSettingSchema,
  scoreInputsSchema,
  type ChallengeRedirect,
  type ClientSetting,
  type ComponentScore,
  type ScoreInputs,
  type Verdict,
} from './types.ts';
