export { GRADE_FILLS, GradeDistribution, WeightBar } from './charts/bars.tsx';
export { CurveChart } from './charts/curve-chart.tsx';
export { BandDays } from './charts/days/band-days.tsx';
export { fillDays } from './charts/days/day-layout.ts';
export { DayLine } from './charts/days/day-line.tsx';
export { StackedDays, type StackedSeries } from './charts/days/stacked-days.tsx';
export { UptimeStrip } from './charts/days/uptime-strip.tsx';
export { formatNetwork } from './format/network-name.ts';
export { toPlainText, toWebLink } from './format/plain-text.ts';
export { MAX_QUERY_LENGTH, SEARCH_INPUT_PROPS } from './frame/header-search.tsx';
export { Notice, PageFrame, SiteNotice, SkipLink, type NavigationPage } from './frame/page-frame.tsx';
export { EndpointList } from './table/endpoint-list.tsx';
export type { ListValue } from './table/list-values.ts';
export type { ListedEndpoint } from './table/listed-endpoint.ts';
export { Age, ResourceText, Stat, Timestamp } from './values/values.tsx';
export { StrokeIcon } from './values/stroke-icon.tsx';
export { ScoreRange } from './verdict/score-range.tsx';
export {
  formatGrade,
  getGradeOutline,
  formatVerdict,
  getGradeVariant,
  describeRecommendation,
  GradeMark,
  type GradeVariant,
  RECOMMENDATION_TEXT_COLOR,
  RecommendationChip,
} from './verdict/verdict.tsx';
