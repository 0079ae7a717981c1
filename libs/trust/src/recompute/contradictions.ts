import type { TrustReport } from '@touchstone/contract';
import { stepInto, type Difference } from './differences.ts';
import { fromMoment, moment } from '../report/report-values.ts';
import { DAY_MS, WINDOW_DAYS } from '../window.ts';

/**
 * Raw figures of a report that its other raw figures rule out, such as more probes that were up than probes. The
 * formula takes them as they come, so a verdict may follow from them all the same. `computed` is the nearest figure that
 * would be possible.
 */
export function contradictionsOf(report: TrustReport): Difference[] {
  return [
    ...amongCounts(report),
    ...amongLatencies(report),
    ...amongTimes(report),
    ...amongPayments(report),
    ...amongWallets(report),
  ];
}

function atMost(path: string, said: number, most: number): Difference[] {
  return said > most ? [{ path, said, computed: most }] : [];
}

/** A probe that confirms a miss is no sample: it is in none of these, so each part is within its whole. */
function amongCounts({ stats }: TrustReport): Difference[] {
  const { probes, scored, envelopes } = stats;
  return [
    ...(['scored', 'excluded', 'blocked', 'redirected'] as const).flatMap((part) =>
      atMost(stepInto('$.stats', part), stats[part], probes),
    ),
    ...atMost('$.stats.up', stats.up, scored),
    ...atMost('$.stats.envelopes.checked', envelopes.checked, probes),
  ];
}

function amongLatencies({ stats: { latency } }: TrustReport): Difference[] {
  if (latency === null) return [];
  const { p50, p95, p99 } = latency;
  return [
    ...atMost('$.stats.latency.p50', p50, p95),
    ...(p99 === null ? [] : atMost('$.stats.latency.p95', p95, p99)),
  ];
}

function amongTimes({ stats: { scoredAt, firstSeen, changes } }: TrustReport): Difference[] {
  const now = fromMoment(scoredAt);
  const oldest = now - WINDOW_DAYS * DAY_MS;
  const within = (path: string, said: string, from: number): Difference[] => {
    const possible = Math.min(now, Math.max(from, fromMoment(said)));
    return possible === fromMoment(said) ? [] : [{ path, said, computed: moment(possible) }];
  };
  return [
    ...within('$.stats.firstSeen', firstSeen, -Infinity),
    ...changes.events.flatMap(({ at }, index) =>
      within(`${stepInto('$.stats.changes.events', index)}.at`, at, oldest),
    ),
  ];
}

/** What a chain says is there as a whole or not at all, and nobody brings no part of nothing. */
function amongPayments({ settlement }: TrustReport): Difference[] {
  if (settlement === null) return [];
  const { volumeUsd30d, payers30d, topPayerShare, partial } = settlement;
  const figures = [
    ['$.settlement.payers30d', payers30d],
    ['$.settlement.topPayerShare', topPayerShare],
  ] as const;
  if (volumeUsd30d === null) {
    const known = [...figures, ['$.settlement.partial', partial] as const];
    return known.flatMap(([path, said]) => (said === null ? [] : [{ path, said, computed: null }]));
  }
  return [
    ...(partial === null ? [{ path: '$.settlement.partial', said: partial, computed: false }] : []),
    // Where not everything was read, nobody paid as far as is known, which is not known.
    ...(partial === true && payers30d === 0
      ? [{ path: '$.settlement.volumeUsd30d', said: volumeUsd30d, computed: null }]
      : []),
    ...figures.flatMap(([path, said]) => (said === null ? [{ path, said, computed: 0 }] : [])),
    ...(payers30d === 0 && Number(volumeUsd30d) > 0
      ? [{ path: '$.settlement.volumeUsd30d', said: volumeUsd30d, computed: '0.000000' }]
      : []),
    ...(payers30d === 0 ? atMost('$.settlement.topPayerShare', topPayerShare ?? 0, 0) : []),
  ];
}

const MICRO = 1e6;

/** Each payment is to one wallet; a payer may have paid several. Where the whole is not known, nobody paid a part. */
function amongWallets({ settlement }: TrustReport): Difference[] {
  if (settlement === null || settlement.wallets.length === 0) return [];
  const { wallets, volumeUsd30d, payers30d, settlements30d } = settlement;
  const micro = (usd: string | null): number => Math.round(Number(usd ?? 0) * MICRO);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const volume = sum(wallets.map((wallet) => micro(wallet.volumeUsd30d)));
  const settlements = sum(wallets.map((wallet) => wallet.settlements30d ?? 0));
  const payers = wallets.map((wallet) => wallet.payers30d ?? 0);
  const most = Math.min(sum(payers), Math.max(...payers, payers30d ?? 0));
  return [
    ...(volume === micro(volumeUsd30d)
      ? []
      : [{ path: '$.settlement.volumeUsd30d', said: volumeUsd30d, computed: (volume / MICRO).toFixed(6) }]),
    ...(settlements === (settlements30d ?? 0)
      ? []
      : [{ path: '$.settlement.settlements30d', said: settlements30d, computed: settlements }]),
    ...(most === (payers30d ?? 0)
      ? []
      : [{ path: '$.settlement.payers30d', said: payers30d, computed: most }]),
  ];
}
