import { DAY_MS, isJsonObject, formatTimestamp } from '@touchstone/common';
import { COMPLIANCE_RESULTS, type TrustReport } from '@touchstone/contract';
import { parseIsoTimeOrNull } from '../report-values.ts';
import { WINDOW_DAYS } from '../endpoint-state.ts';
import { MAX_OPTIONS } from '../report/assemble-report.ts';

/** Difference between a report and its recomputation. */
export interface Difference {
  /** JSONPath (RFC 9535) of the value, such as `$.components.uptime.value`. */
  readonly path: string;
  /** Value in the report; undefined if the report lacks the value. */
  readonly said: unknown;
  /** Recomputed value; undefined if the report should not contain the value. */
  readonly computed: unknown;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Appends a member name or an element index to a JSONPath (RFC 9535). */
export function appendToPath(path: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${path}[${String(step)}]`;
  const name = String(step);
  if (PLAIN_NAME.test(name)) return `${path}.${name}`;
  return `${path}['${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

/**
 * Compares two JSON values, and returns one difference for each unequal leaf. Object members are matched by name, array
 * elements by index. Numbers must be equal to the last digit.
 */
export function findDifferences(path: string, said: unknown, computed: unknown): Difference[] {
  if (said === computed) return [];
  if (Array.isArray(said) && Array.isArray(computed)) {
    return Array.from({ length: Math.max(said.length, computed.length) }, (_, index) =>
      findDifferences(appendToPath(path, index), said[index], computed[index]),
    ).flat();
  }
  if (!isJsonObject(said) || !isJsonObject(computed)) return [{ path, said, computed }];
  // Recomputed members come first, in their order. Members that exist only in the report follow.
  const names = new Set([...Object.keys(computed), ...Object.keys(said)]);
  return [...names].flatMap((name) => findDifferences(appendToPath(path, name), said[name], computed[name]));
}

/**
 * Returns raw figures that contradict other raw figures of the report, such as more successful probes than probes in
 * total. The score formula does not check raw figures, so a recomputed verdict does not reveal contradictions. In each
 * difference, `computed` is the nearest value that would not contradict the other figures.
 */
export function findReportContradictions(report: TrustReport): Difference[] {
  return [
    ...checkCounts(report),
    ...checkRecentCounts(report),
    ...checkLastFailure(report),
    ...checkLatencies(report),
    ...checkTimes(report),
    ...checkMainOption(report),
    ...checkSettlement(report),
    ...checkWallets(report),
    ...checkReturningWallets(report),
    ...checkPurchases(report),
  ];
}

/** Returns a difference if the figure in the report is not equal to the computed figure. */
function checkEqual(path: string, said: unknown, computed: unknown): Difference[] {
  return said === computed ? [] : [{ path, said, computed }];
}

/** Returns a difference if a figure exceeds its maximum. */
function checkMaximum(path: string, said: number, maximum: number): Difference[] {
  return said > maximum ? [{ path, said, computed: maximum }] : [];
}

/**
 * Checks that no count exceeds its total. For example, the number of blocked probes must not exceed the number of all
 * probes. Rechecks after a missed probe are not included in any of these counts.
 */
function checkCounts({ stats }: TrustReport): Difference[] {
  const { probes30d, scoredProbes30d, envelopes } = stats;
  const parts = ['scoredProbes30d', 'excluded30d', 'blocked30d', 'redirected30d'] as const;
  return [
    ...parts.flatMap((part) => checkMaximum(appendToPath('$.stats', part), stats[part], probes30d)),
    ...checkMaximum('$.stats.up30d', stats.up30d, scoredProbes30d),
    ...checkMaximum('$.stats.envelopes.checked', envelopes.checked, probes30d),
  ];
}

/**
 * Checks that counts of the last 24 hours do not exceed the counts of the last seven days. Compares the counts of seven
 * and of 30 days in the same way.
 */
function checkRecentCounts({ stats }: TrustReport): Difference[] {
  const { last24h, last7d, envelopes, scoredProbes30d, up30d, answeredFree } = stats;
  return [
    ...checkMaximum('$.stats.last24h.up', last24h.up, last24h.scored),
    ...checkMaximum('$.stats.last24h.scored', last24h.scored, last7d.scored),
    ...checkMaximum('$.stats.last24h.up', last24h.up, last7d.up),
    ...COMPLIANCE_RESULTS.flatMap((name) =>
      checkMaximum(`$.stats.last24h.${name}`, last24h[name], envelopes[name]),
    ),
    ...checkMaximum('$.stats.last7d.up', last7d.up, last7d.scored),
    ...checkMaximum('$.stats.last7d.scored', last7d.scored, scoredProbes30d),
    ...checkMaximum('$.stats.last7d.up', last7d.up, up30d),
    ...(last24h.free > 0 ? checkEqual('$.stats.answeredFree', answeredFree, true) : []),
  ];
}

/** Checks the times of the latest failure, and that the counts by cause do not exceed the number of failed probes. */
function checkLastFailure({ lastFailure, stats }: TrustReport): Difference[] {
  if (lastFailure === null) return [];
  const now = Date.parse(stats.scoredAt);
  // The latest failed probe cannot be later than the latest probe.
  const latest = Math.min(now, parseIsoTimeOrNull(stats.lastProbedAt) ?? now);
  const failures = Object.values(lastFailure.causes30d).reduce((sum, count) => sum + count, 0);
  return [
    ...checkRange('$.lastFailure.at', lastFailure.at, [now - WINDOW_DAYS * DAY_MS, latest]),
    ...checkRange('$.lastFailure.since', lastFailure.since, [-Infinity, Date.parse(lastFailure.at)]),
    ...checkMaximum('$.lastFailure.causes30d', failures, Math.max(0, stats.probes30d - stats.up30d)),
  ];
}

function checkLatencies({ stats: { latency } }: TrustReport): Difference[] {
  if (latency === null) return [];
  const { p50, p95, p99 } = latency;
  return [
    ...checkMaximum('$.stats.latency.p50', p50, p95),
    ...(p99 === null ? [] : checkMaximum('$.stats.latency.p95', p95, p99)),
  ];
}

/** Returns a difference if a time is outside its range, in milliseconds since the epoch. */
function checkRange(
  path: string,
  said: string,
  [from, to]: readonly [from: number, to: number],
): Difference[] {
  const possible = Math.min(to, Math.max(from, Date.parse(said)));
  return possible === Date.parse(said) ? [] : [{ path, said, computed: formatTimestamp(possible) }];
}

function checkTimes({ stats, freshness, lastFailure }: TrustReport): Difference[] {
  const { scoredAt, firstSeen, changes, lastScoredAt } = stats;
  const now = Date.parse(scoredAt);
  const oldest = now - WINDOW_DAYS * DAY_MS;
  return [
    ...checkRange('$.stats.firstSeen', firstSeen, [-Infinity, now]),
    ...checkLastProbe(stats.lastProbedAt, {
      stated: freshness.probedAt,
      earliest: lastScoredAt ?? lastFailure?.at ?? null,
    }),
    ...changes.events.flatMap(({ at }, index) =>
      checkRange(`${appendToPath('$.stats.changes.events', index)}.at`, at, [oldest, now]),
    ),
    ...checkVariation(changes.payToVariation, [oldest, now]),
  ];
}

function checkVariation(
  variation: TrustReport['stats']['changes']['payToVariation'],
  [oldest, now]: readonly [oldest: number, now: number],
): Difference[] {
  if (variation === undefined) return [];
  const path = '$.stats.changes.payToVariation';
  const { since, lastChangedAt } = variation;
  return [
    ...checkRange(`${path}.since`, since, [oldest, now]),
    ...checkRange(`${path}.lastChangedAt`, lastChangedAt, [Date.parse(since), now]),
  ];
}

/**
 * Checks the time of the last probe.
 *
 * @param known.stated time of the latest probe in another member of the report; null if that member contains no time
 * @param known.earliest time of a known probe; the last probe must not be earlier than this time; null if no probe is
 * known
 */
function checkLastProbe(
  said: string | null,
  { stated, earliest }: { readonly stated: string | null; readonly earliest: string | null },
): Difference[] {
  const path = '$.stats.lastProbedAt';
  if (stated !== null) return checkEqual(path, said, stated);
  const isMissing = earliest !== null && (said === null || Date.parse(said) < Date.parse(earliest));
  return isMissing ? [{ path, said, computed: earliest }] : [];
}

/**
 * Checks that the main payment terms equal the terms of one payment option. Differences are reported for the option
 * with the most equal values.
 */
function checkMainOption({ advertised }: TrustReport): Difference[] {
  if (advertised === null || advertised.options.length === 0) return [];
  const { options } = advertised;
  // Further options may have been left out of the report.
  if (options.length >= MAX_OPTIONS) return [];
  const names = ['payTo', 'asset', 'network', 'amount'] as const;
  const [nearest = []] = options
    .map((option) =>
      names.flatMap((name): Difference[] => {
        // An option without an address has an empty text; the main terms then contain null.
        const computed = option[name] === '' ? null : option[name];
        const said = advertised[name] === '' ? null : advertised[name];
        return checkEqual(appendToPath('$.advertised', name), said, computed);
      }),
    )
    .sort((one, other) => one.length - other.length);
  return nearest;
}

/**
 * Checks that the settlement figures are either all known or all null, that a volume has at least one payer, and that
 * repeat payers are payers.
 */
function checkSettlement({ settlement }: TrustReport): Difference[] {
  if (settlement === null) return [];
  const { volumeUsd30d, returnedUsd30d, payers30d, repeatPayers30d, topPayerShare, partial } = settlement;
  const check = (name: keyof typeof settlement, computed: unknown): Difference[] =>
    checkEqual(appendToPath('$.settlement', name), settlement[name], computed);
  if (volumeUsd30d === null)
    return (['returnedUsd30d', 'payers30d', 'repeatPayers30d', 'topPayerShare', 'partial'] as const).flatMap(
      (name) => check(name, null),
    );
  return [
    ...(returnedUsd30d === null ? check('returnedUsd30d', '0.000000') : []),
    ...checkMaximum('$.settlement.repeatPayers30d', repeatPayers30d ?? 0, payers30d ?? 0),
    ...(partial === null ? check('partial', false) : []),
    // If the chains were read only partly and no payment was found, the volume is unknown and must be null.
    ...(partial === true && payers30d === 0 && Number(returnedUsd30d) === 0
      ? check('volumeUsd30d', null)
      : []),
    ...(payers30d === null ? check('payers30d', 0) : []),
    ...(payers30d === 0 && Number(volumeUsd30d) > 0 ? check('volumeUsd30d', '0.000000') : []),
    ...(payers30d === 0 ? check('topPayerShare', null) : []),
    ...(payers30d !== 0 && topPayerShare === null ? check('topPayerShare', 0) : []),
  ];
}

const MICROS_PER_USD = 1e6;

function toMicros(usd: string | null): number {
  return Math.round(Number(usd ?? 0) * MICROS_PER_USD);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Checks that wallets sent back no more than the total. Each amount is rounded, to millionths of a dollar. */
function checkReturningWallets({ settlement }: TrustReport): Difference[] {
  if (settlement === null) return [];
  const { returnedUsd30d: said, returnedBy } = settlement;
  const named = sum(returnedBy.map((wallet) => toMicros(wallet.returnedUsd30d)));
  return named <= toMicros(said) + returnedBy.length
    ? []
    : [{ path: '$.settlement.returnedUsd30d', said, computed: (named / MICROS_PER_USD).toFixed(6) }];
}

/** Checks that test purchases are of the 30-day window, newest first. */
function checkPurchases({ delivery, stats }: TrustReport): Difference[] {
  const now = Date.parse(stats.scoredAt);
  return (delivery?.purchases ?? []).flatMap(({ at }, index, purchases) => {
    const later = purchases[index - 1];
    const latest = later === undefined ? now : Date.parse(later.at);
    const path = `${appendToPath('$.delivery.purchases', index)}.at`;
    return checkRange(path, at, [now - WINDOW_DAYS * DAY_MS, Math.min(latest, now)]);
  });
}

/**
 * Checks the settlement totals against the figures of the single wallets. The volumes of the wallets add up to the
 * volume that stayed plus the volume that was sent back. Payers may add up to more than their total, because one payer
 * may pay several wallets. A wallet may have more payers than the total, because a payer that got everything back is
 * none in the total.
 */
function checkWallets({ settlement }: TrustReport): Difference[] {
  if (settlement === null || settlement.wallets.length === 0) return [];
  const { wallets, payers30d, settlements30d, volumeUsd30d, returnedUsd30d } = settlement;
  const settlements = sum(wallets.map((wallet) => wallet.settlements30d ?? 0));
  const payers = wallets.map((wallet) => wallet.payers30d ?? 0);
  const returned = toMicros(returnedUsd30d);
  const kept = sum(wallets.map((wallet) => toMicros(wallet.volumeUsd30d))) - returned;
  const atLeast = returned > 0 ? [] : payers;
  const nearest = Math.min(sum(payers), Math.max(...atLeast, payers30d ?? 0));
  const path = '$.settlement';
  return [
    ...(kept === toMicros(volumeUsd30d)
      ? []
      : checkEqual(`${path}.volumeUsd30d`, volumeUsd30d, (kept / MICROS_PER_USD).toFixed(6))),
    // If no wallet was read, the totals are null and count as 0 here.
    ...(settlements === (settlements30d ?? 0)
      ? []
      : checkEqual(`${path}.settlements30d`, settlements30d, settlements)),
    ...(nearest === (payers30d ?? 0) ? [] : checkEqual(`${path}.payers30d`, payers30d, nearest)),
  ];
}
