export { Age } from './values/age.tsx';
export { BandDays } from './charts/days/band-days.tsx';
export { BarList } from './charts/bar-list.tsx';
export { DayLine } from './charts/days/day-line.tsx';
export { fillDays } from './charts/days/fill-days.ts';
export { StackedDays, type StackedSeries } from './charts/days/stacked-days.tsx';
export { UptimeStrip } from './charts/days/uptime-strip.tsx';
export { CurveChart } from './charts/curve-chart.tsx';
export type { EndpointRow } from './table/endpoint-row.ts';
export { EndpointTable } from './table/endpoint-table.tsx';
export {
  toConfidenceBand,
  formatConfidence,
  formatCount,
  formatPercent,
  formatScore,
} from './format/format-number.ts';
export { formatDuration } from './format/format-duration.ts';
export { formatDay, formatMinute } from './format/format-time.ts';
export { formatTokenAmount } from './format/format-token-amount.ts';
export { formatUsd } from './format/format-usd.ts';
export { GradeDistribution } from './charts/grade-distribution.tsx';
export { GradeMark, formatGrade, getGradeOutline } from './verdict/grade-mark.tsx';
export { Notice } from './frame/notice.tsx';
export { PageFrame } from './frame/page-frame.tsx';
export type { NavigationPage } from './frame/navigation-links.ts';
export { toPlainText } from './format/plain-text.ts';
export { RecommendationChip } from './verdict/recommendation-chip.tsx';
export { ResourceText } from './values/resource-text.tsx';
export { ScoreScale } from './charts/score-scale.tsx';
export { SiteNotice } from './frame/site-notice.tsx';
export { Stat } from './values/stat.tsx';
export { Timestamp } from './values/timestamp.tsx';
export { GRADE_MIN_SCORES as GRADE_FLOORS, getRecommendationText } from './verdict/verdict.ts';
export { toWebLink } from './format/web-link.ts';
export { WeightBar } from './charts/weight-bar.tsx';
