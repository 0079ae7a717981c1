import { DAY_MS } from '@touchstone/common';
import { appendToPath, type Difference } from '../../recompute/differences.ts';
import { WINDOW_DAYS } from './endpoint-state.ts';
import type { Report } from './report-schema.ts';
import { parseIsoTime, toIsoTime } from './report-values.ts';

/**
 * Returns raw figures that contradict other raw figures of the report, such as more successful probes than probes in
 * total. The score formula does not check raw figures, so a recomputed verdict does not reveal contradictions. In each
 * result, `computed` is the nearest value that would not contradict the other figures.
 */
export function findContradictions(report: Report): Difference[] {
  return [
    ...checkCounts(report),
    ...checkLatencies(report),
    ...checkTimes(report),
    ...checkSettlement(report),
    ...checkWallets(report),
  ];
}

/** Returns a difference if a figure exceeds its maximum. */
function checkMaximum(path: string, said: number, maximum: number): Difference[] {
  return said > maximum ? [{ path, said, computed: maximum }] : [];
}

/**
 * Checks that no count exceeds its total. For example, the number of blocked probes must not exceed the number of all
 * probes. Rechecks after a missed probe are not included in any of these counts.
 */
function checkCounts({ stats }: Report): Difference[] {
  const { probes, scored, envelopes } = stats;
  return [
    ...(['scored', 'excluded', 'blocked', 'redirected'] as const).flatMap((part) =>
      checkMaximum(appendToPath('$.stats', part), stats[part], probes),
    ),
    ...checkMaximum('$.stats.up', stats.up, scored),
    ...checkMaximum('$.stats.envelopes.checked', envelopes.checked, probes),
  ];
}

function checkLatencies({ stats: { latency } }: Report): Difference[] {
  if (latency === null) return [];
  const { p50, p95, p99 } = latency;
  return [
    ...checkMaximum('$.stats.latency.p50', p50, p95),
    ...(p99 === null ? [] : checkMaximum('$.stats.latency.p95', p95, p99)),
  ];
}

function checkTimes({ stats: { scoredAt, firstSeen, changes } }: Report): Difference[] {
  const now = parseIsoTime(scoredAt);
  const oldest = now - WINDOW_DAYS * DAY_MS;
  const checkRange = (path: string, said: string, from: number): Difference[] => {
    const possible = Math.min(now, Math.max(from, parseIsoTime(said)));
    return possible === parseIsoTime(said) ? [] : [{ path, said, computed: toIsoTime(possible) }];
  };
  return [
    ...checkRange('$.stats.firstSeen', firstSeen, -Infinity),
    ...changes.events.flatMap(({ at }, index) =>
      checkRange(`${appendToPath('$.stats.changes.events', index)}.at`, at, oldest),
    ),
  ];
}

/** Checks that the settlement figures are either all known or all null, and that a volume has at least one payer. */
function checkSettlement({ settlement }: Report): Difference[] {
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
    // If the chains were read only partly and no payer was found, the volume is unknown and must be null.
    ...(partial === true && payers30d === 0
      ? [{ path: '$.settlement.volumeUsd30d', said: volumeUsd30d, computed: null }]
      : []),
    ...figures.flatMap(([path, said]) => (said === null ? [{ path, said, computed: 0 }] : [])),
    ...(payers30d === 0 && Number(volumeUsd30d) > 0
      ? [{ path: '$.settlement.volumeUsd30d', said: volumeUsd30d, computed: '0.000000' }]
      : []),
    ...(payers30d === 0 ? checkMaximum('$.settlement.topPayerShare', topPayerShare ?? 0, 0) : []),
  ];
}

const MICROS_PER_USD = 1e6;

/**
 * Checks the settlement totals against the figures of the single wallets. Volumes and payments must add up. Payers may
 * add up to more than their total, because one payer may pay several wallets.
 */
function checkWallets({ settlement }: Report): Difference[] {
  if (settlement === null || settlement.wallets.length === 0) return [];
  const { wallets, volumeUsd30d, payers30d, settlements30d } = settlement;
  const toMicros = (usd: string | null): number => Math.round(Number(usd ?? 0) * MICROS_PER_USD);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const volume = sum(wallets.map((wallet) => toMicros(wallet.volumeUsd30d)));
  const settlements = sum(wallets.map((wallet) => wallet.settlements30d ?? 0));
  const payers = wallets.map((wallet) => wallet.payers30d ?? 0);
  const nearest = Math.min(sum(payers), Math.max(...payers, payers30d ?? 0));
  return [
    ...(volume === toMicros(volumeUsd30d)
      ? []
      : [
          {
            path: '$.settlement.volumeUsd30d',
            said: volumeUsd30d,
            computed: (volume / MICROS_PER_USD).toFixed(6),
          },
        ]),
    ...(settlements === (settlements30d ?? 0)
      ? []
      : [{ path: '$.settlement.settlements30d', said: settlements30d, computed: settlements }]),
    ...(nearest === (payers30d ?? 0)
      ? []
      : [{ path: '$.settlement.payers30d', said: payers30d, computed: nearest }]),
  ];
}
