import { readChallenge, type Challenge } from '@touchstone/x402';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import { toPublishableInputs } from '../report/report-inputs.ts';
import { score } from '../score.ts';
import {
  createChange,
  createFailure,
  createHealthyInputs,
  createLastDay,
  NO_ENVELOPES,
  NOW,
  toDaysAgo,
  USDC,
  withAdvertised,
  withProbes,
} from '../testing/fixtures.ts';
import type { Failure, ScoreInputs } from '../types.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** Words that no sentence of this service contains. */
const WORDS = ['SYSTEM', 'obey', 'verified', 'seller', 'trustworthy', 'wire', 'jackpot', 'a1', '7'];
const SEPARATORS = [' ', '-', '.', ':', '_', '/', ', ', '"', '\\', '?', '\u200b'];
/** Matches two words of a provider with only separators between them. */
const WORD_RUN =
  /(SYSTEM|obey|verified|seller|trustworthy|wire|jackpot)[\W_\d]*(SYSTEM|obey|verified|seller|trustworthy|wire|jackpot)/i;

const words = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SEPARATORS)), { minLength: 2, maxLength: 12 })
  .map((parts) => parts.flat().join('').slice(0, -1));

/** Texts in the form of a network, a price, an address or a payment unit, with words of the provider in them. */
const texts = fc.oneof(
  words,
  words.map((text) => `eip155:${text}`),
  words.map((text) => `eip155:8453 ${text}`),
  words.map((text) => `solana:${text} USDC`),
  words.map((text) => `0x${text}`),
  words.map((text) => `$${text}`),
  words.map((text) => `10 units of ${text}`),
);

const option = fc.record(
  {
    scheme: fc.oneof(fc.constant('exact'), texts),
    network: fc.oneof(fc.constantFrom('eip155:8453', 'eip155:137', 'base'), texts),
    asset: fc.oneof(fc.constant(USDC), texts),
    payTo: fc.oneof(fc.constantFrom(PAY_TO, `0x${'0'.repeat(40)}`, USDC), texts),
    amount: fc.oneof(fc.constantFrom('10000', '9'.repeat(30)), texts),
    maxTimeoutSeconds: fc.oneof(fc.constantFrom(60, 1), texts),
    extra: fc.oneof(
      fc.record({
        name: fc.oneof(fc.constant('USD Coin'), texts),
        version: fc.oneof(fc.constant('2'), texts),
      }),
      texts,
    ),
  },
  { requiredKeys: ['scheme', 'network'] },
);

/** Challenges of both protocol versions, with words of the provider in any member. */
const challenges: fc.Arbitrary<Challenge> = fc
  .record({
    x402Version: fc.constantFrom(1, 2),
    accepts: fc.array(option, { maxLength: 3 }),
    description: texts,
    error: texts,
    url: texts,
  })
  .map(({ x402Version, accepts, description, error, url }) => {
    const envelope = JSON.stringify({ x402Version, error, resource: { url, description }, accepts });
    return readChallenge({
      ...{ url: 'https://api.example.com/', method: 'GET', status: 402, body: envelope },
      headers: [['payment-required', Buffer.from(envelope).toString('base64')]],
    });
  });

/** Returns score inputs for each kind of reason that contains a cause or a provider's value. */
function createSituations(text: string, reason: string | null, failure: Failure): Partial<ScoreInputs>[] {
  const changed = { before: text, after: text };
  const redirect = { status: 307, target: `https://other.example/${text}`, otherOrigin: true };
  const lastChallenge = {
    ...{ resourceInfoMissing: true, headerBodyMismatch: true, failedRules: [], notPayableReason: reason },
    neededSettings: [],
    redirect,
  };
  const unpayable = { latestCompliance: 'unpayable', lastChallenge } as const;
  return [
    { ...unpayable, last24h: createLastDay(48, 'unpayable'), lastPayableAt: toDaysAgo(2) },
    { ...unpayable, last24h: createLastDay(48) },
    {
      ...unpayable,
      last24h: { ...createLastDay(48), envelopes: { ...NO_ENVELOPES, pass: 9, unpayable: 2 } },
    },
    { downSince: toDaysAgo(3), lastFailure: failure },
    { downSince: NOW - HOUR_MS, lastFailure: failure },
    { lastScoredAt: toDaysAgo(3), lastFailure: failure },
    { ...withProbes(0, 0, { total: 9, blocked: 9 }), lastFailure: failure },
    { ...withProbes(1_000, 900), lastFailure: failure },
    { changes: [createChange('payto_change', toDaysAgo(1), changed)] },
    {
      changes: [
        createChange('price_change', toDaysAgo(1), changed),
        createChange('price_change', toDaysAgo(9), changed),
        createChange('payto_change', toDaysAgo(9), changed),
        createChange('payto_change', toDaysAgo(8), changed),
        createChange('asset_network_change', toDaysAgo(1), changed),
      ],
    },
    withAdvertised({ falseUsdc: true, falseUsdcAsset: text, payTo: text, network: text, asset: text }),
    { ...withAdvertised({ network: text, networkKnown: false }), description: text },
  ];
}

test('no reason contains two words of a provider in a row', () => {
  fc.assert(
    fc.property(challenges, texts, (challenge, text) => {
      const { refusals, settlementFailures } = challenge;
      const reasons = [refusals, settlementFailures].flatMap((found) => [found.v1, found.v2]);
      const redirect = createFailure({
        ...{ error: 'redirect', httpStatus: 308 },
        detail: `The endpoint redirects to https://other.example/${encodeURI(text)} (HTTP 308).`,
      });
      const certificate = createFailure({
        ...{ phase: 'tls', error: 'tls-hostname-mismatch', httpStatus: null },
        detail: `The TLS certificate is valid for ${text}, not for api.example.com.`,
      });
      for (const failure of [redirect, certificate]) {
        for (const change of reasons.flatMap((reason) => createSituations(text, reason, failure))) {
          const verdict = score(toPublishableInputs(createHealthyInputs(change)));
          for (const reason of verdict.reasons) expect(reason).not.toMatch(WORD_RUN);
        }
      }
    }),
    { numRuns: 60 },
  );
});
