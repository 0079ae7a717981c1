import type { TrustReport } from '@touchstone/contract';
import { plain } from '../plain.ts';
import { dollarWords, msWords, numberWords, percentWords, timeWords } from './figures.ts';
import type { Row } from './text-style.ts';

/** The facts of a report that a payer looks for, by name. */
export function trustRows(report: TrustReport): Row[] {
  return [
    ...row('Asks', priceWords(report)),
    ...row('Settled', settledWords(report)),
    ...row('Probes', probesWords(report)),
    ...row('Latency', latencyWords(report)),
    ...row('Protocol', complianceWords(report)),
    ['Listing', listingWords(report)],
    ['Made', madeWords(report)],
    ['Page', plain(report.endpointPage, 2_048)],
  ];
}

function row(name: string, value: string | null): Row[] {
  return value === null ? [] : [[name, value]];
}

function priceWords({ advertised }: TrustReport): string | null {
  if (advertised === null) return null;
  const { amountUsd, amount, network, payTo, range30d, options } = advertised;
  const price =
    amountUsd === null ? `${amount ?? 'an unknown amount'} of an unknown token` : dollarWords(amountUsd);
  const range =
    range30d === null || range30d.lowUsd === range30d.highUsd
      ? ''
      : `, ${dollarWords(range30d.lowUsd)} to ${dollarWords(range30d.highUsd)} in 30 days`;
  const more = options.length > 1 ? `, and ${numberWords(options.length - 1)} other ways to pay` : '';
  return `${price} on ${plain(network, 60)} to ${plain(payTo, 100)}${range}${more}`;
}

function settledWords({ settlement }: TrustReport): string | null {
  if (settlement === null) return null;
  const { volumeUsd30d, settlements30d, payers30d, topPayerShare, lastSettledAt } = settlement;
  if (volumeUsd30d === null) return 'the chain could not be read';
  const count = settlements30d === null ? '' : ` in ${numberWords(settlements30d)} settlements`;
  const by = payers30d === null ? '' : ` by ${numberWords(payers30d)} payers`;
  const top = topPayerShare === null ? '' : `, the largest of whom paid ${percentWords(topPayerShare)}`;
  const last = lastSettledAt === null ? '' : `; last at ${timeWords(lastSettledAt)}`;
  return `${dollarWords(volumeUsd30d)}${count}${by}${top}, in 30 days${last}`;
}

function probesWords({ stats }: TrustReport): string | null {
  const { probes, scored, up, blocked, windowDays } = stats;
  if (probes === 0) return 'none yet';
  const share = scored === 0 ? '' : ` (${percentWords(up / scored)})`;
  const turned = blocked === 0 ? '' : `, ${numberWords(blocked)} turned away`;
  return `${numberWords(probes)} in ${numberWords(windowDays)} days: up in ${numberWords(up)} of ${numberWords(scored)} that count${share}${turned}`;
}

function latencyWords({ stats: { latency } }: TrustReport): string | null {
  if (latency === null) return null;
  const where = latency.vantage === null ? '' : ` from ${plain(latency.vantage, 60)}`;
  return `half of the answers within ${msWords(latency.p50)}, 95 % within ${msWords(latency.p95)}${where}`;
}

function complianceWords({ compliance }: TrustReport): string | null {
  if (compliance === null) return null;
  const failed = compliance.checks.filter(({ pass, severity }) => !pass && severity !== 'info');
  const version = compliance.version === null ? 'unreadable terms' : `terms of version ${compliance.version}`;
  const payable = compliance.payable ? 'payable' : 'payable by no client';
  const checks = failed.length === 0 ? 'no check failed' : `failed: ${failed.map(({ id }) => id).join(', ')}`;
  return `${version}, ${payable}, ${checks}`;
}

function listingWords({ listing, templated }: TrustReport): string {
  const { status, firstSeen, delistedAt } = listing;
  const ended = delistedAt === null ? '' : ` since ${delistedAt.slice(0, 10)}`;
  const template = templated ? '; its URL has placeholders to fill in before paying' : '';
  return `${status}${ended}, first seen ${firstSeen.slice(0, 10)}${template}`;
}

function madeWords({ generatedAt, scoringVersion, freshness }: TrustReport): string {
  const { live, liveProbeMs, notLiveReason, probedAt } = freshness;
  const how = live
    ? `probed for this report${liveProbeMs === null ? '' : ` in ${msWords(liveProbeMs)}`}`
    : `not probed for this report (${notLiveReason ?? 'no reason given'})`;
  const last = live || probedAt === null ? '' : `, last at ${timeWords(probedAt)}`;
  return `${timeWords(generatedAt)}, ${how}${last}, formula ${scoringVersion}`;
}
