export { Age } from './age.tsx';
export { CurveChart } from './curve-chart.tsx';
export type { EndpointRow } from './endpoint-row.ts';
export { EndpointTable } from './endpoint-table.tsx';
export {
  confidenceBand,
  formatConfidence,
  formatCount,
  formatPercent,
  formatScore,
} from './format-number.ts';
export { formatDay, formatMinute } from './format-time.ts';
export { formatTokenAmount } from './format-token-amount.ts';
export { formatUsd } from './format-usd.ts';
export { GradeDistribution } from './grade-distribution.tsx';
export { GradeMark, gradeWords } from './grade-mark.tsx';
export { Notice } from './notice.tsx';
export { PageFrame } from './page-frame.tsx';
export { plainText } from './plain-text.ts';
export { RecommendationChip } from './recommendation-chip.tsx';
export { ResourceText } from './resource-text.tsx';
export { ScoreScale } from './score-scale.tsx';
export { shortenAddress } from './shorten-address.ts';
export { SiteNotice } from './site-notice.tsx';
export { Stat } from './stat.tsx';
export { Timestamp } from './timestamp.tsx';
export { GRADE_FLOORS, recommendationWords } from './verdict.ts';
export { webLink } from './web-link.ts';
export { WeightBar } from './weight-bar.tsx';
