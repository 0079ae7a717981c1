import { expect, test } from 'vitest';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NOW,
  createUnprobedInputs,
  summarizeVerdict,
  NO_ENVELOPES,
  type Situation,
  createChange,
} from './testing/fixtures.ts';

/**
 * Test situations about price, payTo and settlements, with verdicts calculated by hand from the published formula.
 * Stability gives at most 15 points. In the comments, 15·(1 − 0.5·28/30) means that a change with a cost of 0.5
 * happened two days ago, so 28/30 of its cost remain. Stability gives at most 15 points. In the comments, 15·(1 −
 * 0.5·28/30) means that a change with a cost of 0.5 happened two days ago, so 28/30 of its cost remain.
 */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  // Stability gives 15·(1 − 0.5·28/30) points; the other components give 85. The score of 93 is capped at 64.
  'payTo changed two days ago': {
    inputs: createHealthyInputs({ changes: [createChange('payto_change', toDaysAgo(2))] }),
    score: 64,
    grade: 'C',
    recommendation: 'avoid',
    flags: ['payto-changed-recently'],
  },
  // Stability gives 15·(1 − 0.5·15/30) points; the other components give 85.
  'payTo changed two weeks ago': {
    inputs: createHealthyInputs({ changes: [createChange('payto_change', toDaysAgo(15))] }),
    score: 96.3,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // Stability gives 15·(1 − 0.5·(20 + 10)/30) points; the other components give 85.
  'payTo changed twice this month': {
    inputs: createHealthyInputs({
      changes: [createChange('payto_change', toDaysAgo(10)), createChange('payto_change', toDaysAgo(20))],
    }),
    score: 92.5,
    grade: 'A',
    recommendation: 'caution',
    flags: ['payto-varies'],
  },
  // Stability gives 15·(1 − 0.15·30/30) points; the other components give 85.
  'a price of ten times its median, changed now': {
    inputs: createHealthyInputs({
      ...withAdvertised({ amountUsd: '0.100000' }),
      changes: [createChange('price_change', NOW)],
    }),
    score: 97.8,
    grade: 'A',
    recommendation: 'avoid',
    flags: ['price-spike'],
  },
  'a price just below ten times its median': {
    inputs: createHealthyInputs(withAdvertised({ amountUsd: '0.099999' })),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // The costs of the seven changes add up to more than 1, so stability gives 0 points.
  'seven price changes': {
    inputs: createHealthyInputs({
      changes: Array.from({ length: 7 }, () => createChange('price_change', toDaysAgo(1))),
    }),
    score: 85,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-varies'],
  },
  'a network change ten days ago': {
    inputs: createHealthyInputs({ changes: [createChange('asset_network_change', toDaysAgo(10))] }),
    score: 97,
    grade: 'A',
    recommendation: 'caution',
    flags: ['network-changed-recently'],
  },
  'a network change 15 days ago': {
    inputs: createHealthyInputs({ changes: [createChange('asset_network_change', toDaysAgo(15))] }),
    score: 97.8,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  'a template whose price and payTo vary': {
    inputs: createHealthyInputs({
      templated: true,
      changes: [
        createChange('payto_change', toDaysAgo(1)),
        createChange('price_change', toDaysAgo(1)),
        createChange('price_change', toDaysAgo(2)),
      ],
      ...withAdvertised({ amountUsd: '5.000000' }),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'parameterize',
    flags: [],
  },
  'a template with a network change today': {
    inputs: createHealthyInputs({
      templated: true,
      changes: [createChange('asset_network_change', toDaysAgo(0))],
    }),
    score: 95.5,
    grade: 'A',
    recommendation: 'parameterize',
    flags: ['network-changed-recently'],
  },
  // Only the age is known, so no component counts and the score is 0.
  'a template without probes and without advertised terms': {
    inputs: createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(30) }),
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence', 'template-unresolved'],
  },
  // Only the age is known, so no component counts. The score of 0 does not lead to `avoid`, because no probe measured
  // anything.
  'a template without probes that advertises a price': {
    inputs: createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(180), ...withAdvertised({}) }),
    score: 0,
    grade: '?',
    recommendation: 'parameterize',
    flags: ['low-confidence', 'template-unresolved'],
  },
  // Compliance, stability and activity are unmeasured. The other components give their full points.
  'free, and up all month': {
    inputs: createHealthyInputs({
      everChallenged: false,
      answeredFree: true,
      envelopes: NO_ENVELOPES,
      lastChallengedAt: null,
      lastPayableAt: null,
      advertised: null,
      settlement: null,
      networksRead: 0,
    }),
    score: 100,
    grade: '?',
    recommendation: 'free',
    flags: [],
  },
  'free, though the directory lists a price': {
    inputs: createHealthyInputs({
      everChallenged: false,
      answeredFree: true,
      envelopes: NO_ENVELOPES,
      lastChallengedAt: null,
      lastPayableAt: null,
    }),
    score: 100,
    grade: '?',
    recommendation: 'free',
    flags: [],
  },
  // Stability gives 15·(1 − 0.15) points; the other components give 85.
  'a price change from zero to a thousand dollars': {
    inputs: createHealthyInputs({
      ...withAdvertised({ amountUsd: '1000.000000' }),
      medianPriceUsd30d: '0.000000',
      changes: [createChange('price_change', NOW)],
    }),
    score: 97.8,
    grade: 'A',
    recommendation: 'avoid',
    flags: ['price-spike'],
  },
  'a price in a token with unknown dollar value': {
    inputs: createHealthyInputs({ ...withAdvertised({ amountUsd: null }), medianPriceUsd30d: null }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-unknown'],
  },
  'an unpayable latest challenge': {
    inputs: createHealthyInputs({ latestCompliance: 'unpayable' }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now'],
  },
  'a token falsely named USDC': {
    inputs: createHealthyInputs(withAdvertised({ falseUsdc: true })),
    score: 20,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['asset-not-usdc'],
  },
  // A single payer reduces the volume value to 0 and has the payer value 0.1. The mean is 0.05, so activity gives
  // 15·0.05 points; the other components give 85.
  'a single payer': {
    inputs: createHealthyInputs({ settlement: { volumeUsd30d: 10_000, payers30d: 1, topPayerShare: 1 } }),
    score: 85.8,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['single-payer'],
  },
  'no payer': {
    inputs: createHealthyInputs({ settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null } }),
    score: 85,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['no-settlements'],
  },
  'an unknown network': {
    inputs: createHealthyInputs({
      settlement: null,
      networksRead: 0,
      ...withAdvertised({ network: 'sapiom:main', networkKnown: false, amountUsd: null }),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-unknown', 'network-unknown'],
  },
  'a payTo address shared with 143 endpoints': {
    inputs: createHealthyInputs({ payToSharedWith: 143 }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['payto-shared'],
  },
  'a challenge with different header and body terms and without a resource': {
    inputs: createHealthyInputs({
      lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: true, notPayableReason: null },
    }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['header-body-mismatch', 'missing-resource-info'],
  },
};

test.each(Object.entries(SITUATIONS))('%s', (_, { inputs, ...expected }) => {
  expect(summarizeVerdict(inputs)).toEqual(expected);
});
