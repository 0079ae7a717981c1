import {
  formatCount,
  formatPercent,
  formatPoints,
  formatTime,
  formatUsd,
} from '../terminal/format-figures.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { formatRows, type Row, type TextStyle } from '../terminal/text-style.ts';
import { wrap } from '../terminal/wrap.ts';
import type { GuardResult } from './guard-result.ts';
import type { ServiceSummary } from './service-summary.ts';

type Endpoint = NonNullable<ServiceSummary['endpoint']>;

const MATCHES = { exact: '', path: ' (same URL apart from the query)', template: ' (URL template)' } as const;

/** Formats the observations of the service on the endpoint. */
export function formatStatement({ statement, options }: GuardResult, style: TextStyle): string[] {
  if (statement === null) return [];
  const { match, endpoint } = statement;
  if (endpoint === null) {
    // A decision has this statement as a reason.
    return options.length > 0 ? [] : wrap('Touchstone does not know this endpoint.', '', style.width);
  }
  const isOther = match !== null && match !== 'exact';
  const rows: Row[] = [
    ...(isOther ? [['Endpoint', `${toPlainText(endpoint.resource)}${MATCHES[match]}`] as const] : []),
    ['Grade', `${endpoint.grade}, ${formatPoints(endpoint.score)} points`],
    ['Advice', `${endpoint.recommendation}, confidence ${formatPercent(endpoint.confidence)}`],
    ['Findings', formatFindings(endpoint)],
    ['Price', formatPrice(endpoint)],
    ['Last probe', formatLastProbe(endpoint)],
    ...formatListing(endpoint),
    ['Page', toPlainText(endpoint.endpointPage)],
  ];
  return [style.paint('bold', 'Observed by Touchstone'), ...formatRows(rows, style)];
}

function formatFindings({ errorFlags, warningFlags }: Endpoint): string {
  return `${formatCount(errorFlags, 'error')}, ${formatCount(warningFlags, 'warning')}`;
}

function formatPrice({ amountUsd, priceRange30d }: Endpoint): string {
  const price = amountUsd === null ? 'unknown' : formatUsd(amountUsd);
  if (priceRange30d === null) return price;
  return `${price}, ${formatUsd(priceRange30d.lowUsd)} to ${formatUsd(priceRange30d.highUsd)} in 30 days`;
}

function formatLastProbe({ lastProbedAt, failingSince }: Endpoint): string {
  const time = lastProbedAt === null ? 'none' : formatTime(lastProbedAt);
  return failingSince === null ? time : `${time}, failing since ${formatTime(failingSince)}`;
}

function formatListing({ listing: { status, delistedAt } }: Endpoint): Row[] {
  if (status === 'listed') return [];
  const since = delistedAt === null ? '' : ` since ${formatTime(delistedAt)}`;
  return [['Listing', `no directory lists this endpoint${since}`]];
}
