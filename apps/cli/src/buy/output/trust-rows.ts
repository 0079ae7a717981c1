import type { TrustReport } from '@touchstone/contract';
import {
  formatCount,
  formatMs,
  formatNumber,
  formatPercent,
  formatTime,
  formatUsd,
} from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import type { Row } from '../../terminal/text-style.ts';

/** Creates the rows of a printed trust report, such as price and uptime. Facts without a value get no row. */
export function createTrustRows(report: TrustReport): Row[] {
  return [
    ...createRow('Price', formatPrice(report)),
    ...createRow('Settled', formatSettlement(report)),
    ...createRow('Probes', formatProbes(report)),
    ...createRow('Latency', formatLatency(report)),
    ...createRow('Protocol', formatCompliance(report)),
    ['Listing', formatListing(report)],
    ['Generated', formatFreshness(report)],
    ['Page', toPlainText(report.endpointPage, 2_048)],
  ];
}

function createRow(label: string, value: string | null): Row[] {
  return value === null ? [] : [[label, value]];
}

function formatPrice({ advertised }: TrustReport): string | null {
  if (advertised === null) return null;
  const { amountUsd, amount, network, payTo, range30d, options } = advertised;
  const price =
    amountUsd === null
      ? `${amount ?? 'an unknown number of'} atomic units of an unknown token`
      : formatUsd(amountUsd);
  const range =
    range30d === null || range30d.lowUsd === range30d.highUsd
      ? ''
      : `; ${formatUsd(range30d.lowUsd)} to ${formatUsd(range30d.highUsd)} in the last 30 days`;
  const others = options.length > 1 ? `; ${formatCount(options.length - 1, 'other payment option')}` : '';
  return `${price} on ${toPlainText(network, 60)} to ${toPlainText(payTo, 100)}${range}${others}`;
}

function formatSettlement({ settlement }: TrustReport): string | null {
  if (settlement === null) return null;
  const { volumeUsd30d, settlements30d, payers30d, topPayerShare, lastSettledAt } = settlement;
  if (volumeUsd30d === null) return 'not measured: the chain was not read';
  const last = lastSettledAt === null ? '' : `; last at ${formatTime(lastSettledAt)}`;
  if (payers30d === 0 || settlements30d === 0) return `nothing in the last 30 days${last}`;
  const count = settlements30d === null ? '' : ` in ${formatCount(settlements30d, 'settlement')}`;
  const payers = payers30d === null ? '' : ` from ${formatCount(payers30d, 'payer')}`;
  const top =
    topPayerShare === null || payers30d === 1 ? '' : `; largest payer ${formatPercent(topPayerShare)}`;
  return `${formatUsd(volumeUsd30d)}${count}${payers} in the last 30 days${top}${last}`;
}

function formatProbes({ stats }: TrustReport): string | null {
  const { probes, scored, up, blocked, windowDays } = stats;
  if (probes === 0) return 'none yet';
  const total = `${formatCount(probes, 'probe')} in the last ${formatCount(windowDays, 'day')}`;
  const uptime =
    scored === 0
      ? 'none scored'
      : `${formatNumber(up)} of ${formatNumber(scored)} scored probes succeeded (${formatPercent(up / scored)})`;
  const blockedText = blocked === 0 ? '' : `; ${formatNumber(blocked)} blocked`;
  return `${total}; ${uptime}${blockedText}`;
}

function formatLatency({ stats: { latency } }: TrustReport): string | null {
  if (latency === null) return null;
  const vantage = latency.vantage === null ? '' : `, measured from ${toPlainText(latency.vantage, 60)}`;
  return `median ${formatMs(latency.p50)}, 95th percentile ${formatMs(latency.p95)}${vantage}`;
}

function formatCompliance({ compliance }: TrustReport): string | null {
  if (compliance === null) return null;
  const failed = compliance.checks.filter(({ pass, severity }) => !pass && severity !== 'info');
  const version =
    compliance.version === null ? 'no readable payment terms' : `x402 version ${compliance.version}`;
  const payable = compliance.payable ? 'payable' : 'not payable';
  const checks =
    failed.length === 0 ? 'no failed checks' : `failed checks: ${failed.map(({ id }) => id).join(', ')}`;
  return `${version}, ${payable}, ${checks}`;
}

function formatListing({ listing, templated }: TrustReport): string {
  const { status, firstSeen, delistedAt } = listing;
  const since = delistedAt === null ? '' : ` since ${delistedAt.slice(0, 10)}`;
  const template = templated ? '; replace the placeholders in the URL before paying' : '';
  return `${status}${since}, first seen ${firstSeen.slice(0, 10)}${template}`;
}

const NOT_LIVE_REASONS = {
  'own-failure': 'the service failed',
  'too-slow': 'no response within the time limit',
  template: 'a URL with placeholders cannot be probed',
  stored: 'no live probe was requested',
} as const satisfies Record<NonNullable<TrustReport['freshness']['notLiveReason']>, string>;

function formatFreshness({ generatedAt, scoringVersion, freshness }: TrustReport): string {
  const { live, liveProbeMs, notLiveReason, probedAt } = freshness;
  const duration = liveProbeMs === null ? '' : ` in ${formatMs(liveProbeMs)}`;
  const reason = notLiveReason === null ? '' : ` (${NOT_LIVE_REASONS[notLiveReason]})`;
  const lastProbe = probedAt === null ? '' : `, last probed ${formatTime(probedAt)}`;
  const probe = live ? `probed live${duration}` : `not probed live${reason}${lastProbe}`;
  return `${formatTime(generatedAt)}, ${probe}, scoring version ${scoringVersion}`;
}
