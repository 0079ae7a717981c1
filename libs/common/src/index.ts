export { BodyTooLargeError, readBoundedBytes, readBoundedText } from './bounded-body.ts';
export { DAY_MS, HOUR_MS, MAX_RESOURCE_CHARS, MINUTE_MS } from './constants.ts';
export { formatDuration } from './format-duration.ts';
export {
  formatConfidence,
  formatConstantPercent,
  formatCount,
  formatGradedScore,
  formatMs,
  formatNumber,
  formatPercent,
  formatShare,
  formatScore,
  formatTokenAmount,
  formatUptime,
  formatUsd,
  formatUsdRange,
  toConfidenceBand,
  toPercent,
} from './figures.ts';
export {
  formatDay,
  formatInPeriod,
  formatMinute,
  formatPeriod,
  formatTimestamp,
  formatTimestampOrNull,
  PERIOD_DAYS,
} from './format-timestamp.ts';
export { type Decimal, formatDecimal, parseDecimal, toUnits } from './decimal.ts';
export {
  getHeaderValues,
  getMethodAfterRedirect,
  isRequestableUrl,
  isRedirectStatus,
  MAX_CONTENT_CODINGS,
  MAX_REDIRECTS,
  measureHeaders,
  NODE_HEADER_LIMIT_BYTES,
  type BodyEnd,
  type Redirect,
} from './http-response.ts';
export {
  explainNonPublicAddress,
  findNonPublicReason,
  IPV6_NETWORK_SUFFIX,
  parseIpAddress,
  toNetwork,
  UNKNOWN_CLIENT,
  type IpAddress,
} from './ip-address.ts';
export { hasMoreValues, isJsonObject, parseJson } from './json.ts';
export { computeRestartDelay, keepRunning, type RestartOptions, type RunningPart } from './keep-running.ts';
export { isLoopbackHost, isPublicHost, isPublicName } from './public-host.ts';
export { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';
