import { MINUTE_MS } from '@touchstone/common';
import type { ReturningWallet, Verdict } from '../types.ts';
import type { GeneratedHistory, PlacedProbes } from './generated-history.ts';
import { isChallenge, isUp } from './probe-findings.ts';

/** Checks of parts of sentences against the probes of a generated history. A part that is absent is undefined. */

export type Facts = GeneratedHistory & { readonly verdict: Verdict };
type Part = string | undefined;

/** Returns true if a sentence with these matched parts is true of the history. */
type Check = (facts: Facts, parts: readonly string[]) => boolean;

/** Pattern of a sentence, in which `#` is a number and `@` a time, and the check of the matched parts. */
export type SentenceRow = readonly [pattern: string, check: Check];

export function toNumber(part: Part): number {
  return Number((part ?? '').replaceAll(',', ''));
}

/** Returns true if a sentence names an amount, such as `$1,234.50`, to the cent. */
export function isUsd(amount: number | undefined, part: Part): boolean {
  return amount !== undefined && Math.abs(amount - toNumber(part?.slice(1))) < 0.01;
}

/** Returns true if a sentence names a duration, such as `450 ms` or `1,200 ms`. */
export function isMs(duration: number | undefined, part: Part): boolean {
  return duration !== undefined && Math.round(duration) === toNumber(part?.replace(' ms', ''));
}

/** Parses a time such as `2026-11-09 14:05 UTC`. */
export function toTime(part: Part): number {
  return Date.parse((part ?? '').replace(' UTC', 'Z').replace(' ', 'T'));
}

/** Returns true if a sentence names the minute of an event. */
export function isMinute(at: number | null | undefined, part: Part): boolean {
  return typeof at === 'number' && Math.floor(at / MINUTE_MS) * MINUTE_MS === toTime(part);
}

export function isScored({ finding }: PlacedProbes): boolean {
  return isUp(finding) || finding === 'down';
}

function isFailure({ finding }: PlacedProbes): boolean {
  return !isUp(finding) && finding !== 'ours';
}

function isPayable({ finding }: PlacedProbes): boolean {
  return isChallenge(finding) && finding !== 'unpayable';
}

export function wasUpSince({ probes }: Facts, at: number): boolean {
  return probes.some(({ finding, last }) => isUp(finding) && last >= at);
}

export function wasScoredAfter({ probes }: Facts, at: number): boolean {
  return probes.some((probe) => isScored(probe) && probe.last > at);
}

export function wasNeverUp({ probes, purchasedUpAt }: Facts): boolean {
  return purchasedUpAt === null && !probes.some(({ finding }) => isUp(finding));
}

/** Returns true if a named cause is that of the latest failure. A redirect is named by its target. */
export function hasLatestFailure({ probes }: Facts, cause: Part): boolean {
  const latest = probes.findLast(isFailure);
  return cause === undefined || (latest !== undefined && isFailureCause(latest, cause));
}

function isFailureCause({ finding, detail }: PlacedProbes, cause: Part): boolean {
  return finding === 'redirected'
    ? cause === 'The endpoint redirects to https://other.example (HTTP 308)'
    : detail === `${cause ?? ''}.`;
}

/** Returns true if a probe failed at this time, with this cause. A later time is shown as the time of the score. */
export function isFailureAt({ probes, inputs }: Facts, part: Part, cause: Part): boolean {
  return (
    part === undefined ||
    probes.some(
      (probe) =>
        isFailure(probe) && isMinute(Math.min(probe.last, inputs.now), part) && isFailureCause(probe, cause),
    )
  );
}

/** Returns true if probes with the same finding began or ended at this time. */
export function isTurn({ probes }: Facts, part: Part): boolean {
  return part === undefined || probes.some(({ from, last }) => isMinute(from, part) || isMinute(last, part));
}

export function findLatestChallenge({ probes }: Facts): PlacedProbes | undefined {
  return probes.findLast(({ finding }) => isChallenge(finding));
}

export function wasNeverPayable({ probes }: Facts): boolean {
  return !probes.some(isPayable);
}

export function wasLastPayableAt({ probes }: Facts, part: Part): boolean {
  return isMinute(probes.findLast(isPayable)?.last, part);
}

/** Returns true if named failed rules are those of the latest challenge. */
export function hasRules({ inputs }: Facts, text: Part): boolean {
  const [first, ...others] = inputs.lastChallenge?.failedRules ?? [];
  // A generated challenge fails no rule, one rule or four rules.
  const rules = others.length === 0 ? `rule ${String(first)}` : 'rules a, b, c and 1 more';
  return text === undefined || (first !== undefined && text === rules);
}

/** Returns true if a sentence names these wallets, each with the amount that it sent back. */
export function hasSenders(wallets: readonly ReturningWallet[], text: Part): boolean {
  const named = [...(text ?? '').matchAll(/the (funded|advertised) wallet (\S+) \((\$[\d.,]+)\)/g)];
  return (
    named.length === wallets.length &&
    wallets.every(({ address, isFunded, returnedUsd30d }, index) => {
      const [, kind, name, usd] = named[index] ?? [];
      return name === address && (kind === 'funded') === isFunded && isUsd(returnedUsd30d, usd);
    })
  );
}

/** Returns true if a named reason and named failed rules are those of the latest challenge, which is unpayable. */
export function isCause(facts: Facts, [reason, rules]: readonly Part[]): boolean {
  const isUnpayable = findLatestChallenge(facts)?.finding === 'unpayable';
  const known = facts.inputs.lastChallenge?.notPayableReason;
  const isKnown = reason === undefined || known === `${reason}.`;
  return hasRules(facts, rules) && isKnown && (isUnpayable || (reason ?? rules) === undefined);
}

/** Returns true if challenges before and from a time have these payTo addresses or prices. */
export function isChange({ probes }: Facts, [before, after, at]: readonly Part[]): boolean {
  const hasValue = (probe: PlacedProbes | undefined, value: Part): boolean => {
    if (value === undefined) return true;
    const { payTo, microUsd, network } = probe?.terms ?? {};
    return (
      value === payTo || value === network || Math.round(toNumber(value.replace('$', '')) * 1e6) === microUsd
    );
  };
  const challenges = probes.filter(({ finding }) => isChallenge(finding));
  return challenges.some(
    (probe, index) =>
      isMinute(probe.from, at) && hasValue(challenges[index - 1], before) && hasValue(probe, after),
  );
}

/** Returns true if a sentence names a share, 0 to 1, as a percentage that is rounded down to one decimal. */
export function isPercent(share: number | null | undefined, part: Part): boolean {
  if (typeof share !== 'number') return false;
  const difference = share * 100 - toNumber(part);
  // A share above 0 is at least 0.1 %.
  return (share > 0 && share < 0.001 && part === '0.1') || (difference > -1e-6 && difference < 0.1 + 1e-6);
}

/** Returns true if a sentence names the numbers of successful and of scored probes of a period, and their share. */
export function isPeriod(
  period: { readonly scored: number; readonly up: number },
  [up, scored, percent]: readonly Part[],
): boolean {
  return (
    period.up === toNumber(up) &&
    period.scored === toNumber(scored) &&
    isPercent(period.up / period.scored, percent)
  );
}

/** End of a sentence with the number of probes that got data instead of a challenge. */
export const FREE = '(?:; # probes? of the last 24 hours returned data without payment)?';

/** Returns true if the sentence names the number of these probes; without a number, there must be none. */
export function isFreeCount({ inputs }: Facts, free: Part): boolean {
  return inputs.last24h.free === (free === undefined ? 0 : toNumber(free));
}
