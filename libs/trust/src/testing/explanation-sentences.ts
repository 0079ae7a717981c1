import { DAY_MS } from '@touchstone/common';
import { countChallenges, countChanges, findRecentChanges } from '../endpoint-state.ts';
import { isChallenge, isUp } from './probe-findings.ts';
import {
  hasSenders,
  isMs,
  isPercent,
  isScored,
  isUsd,
  type SentenceRow,
  toNumber,
  wasUpSince,
} from './sentence-checks.ts';

/** Sentences that explain components and caps, and those about settlements. */
export const EXPLANATIONS: readonly SentenceRow[] = [
  [
    '(?:# price changes?(?:, )?)?(?:# payTo changes?(?:, )?)?(?:# asset or network changes?)? in the last 30 days',
    ({ inputs }, counts) =>
      (['price_change', 'payto_change', 'asset_network_change'] as const).every((kind, index) => {
        const isLeftOut = inputs.templated && kind !== 'asset_network_change';
        return isLeftOut || countChanges(inputs, kind) === toNumber(counts[index] ?? '0');
      }),
  ],
  [
    'No change of price, payTo, asset or network in the last 30 days',
    ({ inputs }) => inputs.changes.length === 0,
  ],
  [
    'No payment challenge was ever received, so there are no payment terms to compare',
    ({ probes }) => !probes.some(({ finding }) => isChallenge(finding)),
  ],
  [
    'No payment challenge was received in the last 30 days',
    ({ inputs }) => countChallenges(inputs.envelopes) === 0,
  ],
  [
    '# of # challenges? had no error or warning that concerns payment(?:; # had only warnings)?(?:; # had errors but could be paid)?(?:; # could not be paid)?',
    ({ inputs: { envelopes } }, [pass, all, ...others]) =>
      envelopes.pass === toNumber(pass) &&
      countChallenges(envelopes) === toNumber(all) &&
      [envelopes.warnings, envelopes.errors, envelopes.unpayable].every(
        (count, index) => count === toNumber(others[index] ?? '0'),
      ),
  ],
  [
    'The endpoint had been down for 24 hours or more at the last probe',
    (facts) => !wasUpSince(facts, (facts.probes.findLast(isScored)?.last ?? 0) - DAY_MS),
  ],
  [
    'No payable challenge was ever received',
    (facts) => !facts.probes.some(({ finding }) => isChallenge(finding) && finding !== 'unpayable'),
  ],
  [
    'No payable challenge was received in the 24 hours before the last probe',
    (facts) =>
      !facts.probes.some(
        ({ finding, last }) =>
          isChallenge(finding) &&
          finding !== 'unpayable' &&
          last >= (facts.inputs.lastScoredAt ?? 0) - DAY_MS,
      ),
  ],
  [
    'The payTo address changed in the last 7 days',
    ({ inputs }) => findRecentChanges(inputs, 'payto_change', 7).length > 0,
  ],
  [
    "The advertised token(?: (0x\\S+))? is named USDC but is not the (?:network's canonical USDC|canonical USDC of its network)",
    ({ inputs: { advertised } }, [token]) =>
      advertised?.falseUsdc === true && (token === undefined || token === advertised.falseUsdcAsset),
  ],
  [
    '# payers? settled (at least )?(\\$[\\d.,]+) to the advertised wallets in the last 30 days(?:; the largest payer paid ([\\d.]+) %)?',
    ({ inputs: { settlement } }, [payers, partial, volume, share]) =>
      settlement?.payers30d === toNumber(payers) &&
      (partial !== undefined) === (settlement.partial === true) &&
      isUsd(settlement.volumeUsd30d, volume) &&
      isPercent(settlement.topPayerShare, share ?? '100'),
  ],
  [
    'No payments from other wallets in the last 30 days',
    ({ inputs: { settlement } }) => settlement?.payers30d === 0,
  ],
  [
    'No payment was found, but not all of its wallets take USDC on a chain that was read completely',
    ({ inputs }) => inputs.settlement === null && (inputs.networksRead ?? 0) > 0,
  ],
  [
    'Payments are not measured: none of its wallets takes USDC on a chain that was read completely',
    ({ inputs }) => inputs.settlement === null && (inputs.networksRead ?? 0) === 0,
  ],
  [
    'The endpoint advertises no wallet, so there are no payments to read',
    ({ inputs }) => inputs.advertised === null,
  ],
  [
    'First seen (?:less than 1 day|# days?) ago',
    ({ inputs }, [days]) =>
      Math.floor(Math.max(0, inputs.now - inputs.firstSeen) / DAY_MS) === toNumber(days ?? '0'),
  ],
  [
    '50 % of the responses were complete within (.+), 95 % within (.+)',
    ({ inputs: { latency } }, [p50, p95]) => isMs(latency?.p50, p50) && isMs(latency?.p95, p95),
  ],
  [
    'No response time was measured in the last 30 days',
    ({ probes, inputs: { now } }) =>
      !probes.some(({ finding, last }) => isUp(finding) && last >= now - 30 * DAY_MS),
  ],
  [
    'No other component was measured, and age alone does not count|No probe in the last 30 days was scored',
    ({ inputs }) => inputs.probes.scored === 0,
  ],
  [
    'The payers settled (at least )?(\\$[\\d.,]+) to the advertised wallets in the last 30 days, and (all|\\$[\\d.,]+) of it was sent back to them',
    ({ inputs: { settlement } }, [partial, paid, returned]) =>
      (partial !== undefined) === (settlement?.partial === true) &&
      isUsd((settlement?.volumeUsd30d ?? 0) + (settlement?.returnedUsd30d ?? 0), paid) &&
      isUsd(settlement?.returnedUsd30d, returned === 'all' ? paid : returned),
  ],
  [
    '(?:All|([\\d.]+) %) of the volume( that was read)? of the last 30 days was sent back to the payers: (\\$[\\d.,]+) of (\\$[\\d.,]+)(?:, (?:most of it )?by (.+))?',
    ({ inputs: { settlement } }, [percent, read, returned, paid, senders]) => {
      const total = (settlement?.volumeUsd30d ?? 0) + (settlement?.returnedUsd30d ?? 0);
      return (
        isUsd(settlement?.returnedUsd30d, returned) &&
        isUsd(total, paid) &&
        isPercent((settlement?.returnedUsd30d ?? 0) / total, percent ?? '100') &&
        (read !== undefined) === (settlement?.partial === true) &&
        hasSenders(settlement?.returnedBy ?? [], senders)
      );
    },
  ],
  [
    '(?:(At least )?# (?:other )?endpoints? of this host)?(?: and )?(?:([Aa]t least )?# endpoints? of other hosts)? advertises? the same payTo address, so this volume may include payments to them',
    ({ inputs }, [sibling, siblings, sharer, sharers]) =>
      (sibling !== undefined) === toNumber(siblings) >= 1_000 &&
      (sharer !== undefined) === toNumber(sharers) >= 1_000 &&
      (inputs.payToSharedOnHost ?? 0) === toNumber(siblings ?? '0') &&
      (inputs.payToSharedWith ?? 0) === toNumber(sharers ?? '0'),
  ],
  [
    '# payers? paid what stayed(?:, the largest of them ([\\d.]+) %)?',
    ({ inputs: { settlement } }, [payers, share]) =>
      settlement?.payers30d === toNumber(payers) && isPercent(settlement.topPayerShare, share ?? '100'),
  ],
];
