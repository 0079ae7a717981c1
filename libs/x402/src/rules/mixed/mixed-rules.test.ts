import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { MIXED_RULES } from './mixed-rules.ts';
import {
  BASE_USDC,
  dualResponse,
  encode,
  EURC,
  getCheck,
  OTHER_WALLET,
  PAY_TO,
  SCHEME_OPTIONS,
  SEPOLIA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Offer,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { ChallengeResponse } from '../../types.ts';

const ON_SEPOLIA = { ...SEPOLIA, network: 'base-sepolia' };
/** Option whose amount is a maximum and not a price. */
const MAXIMUM = v2Option({ scheme: 'upto', amount: '50000', payTo: OTHER_WALLET });
const IN_EURC = v2Option({ asset: EURC, extra: { name: 'EURC', version: '2' } });
const CHEAP = v2Option({ amount: '1' });
const BODY_TEXT = JSON.stringify(v2Envelope());
const TWO_PAYEES = v2Envelope({ accepts: [v2Option(), v2Option({ payTo: OTHER_WALLET })] });

/** Creates a response in both versions, with the given options. */
function withBoth(v2: readonly JsonObject[], v1: readonly JsonObject[]): ChallengeResponse {
  return dualResponse(v2Envelope({ accepts: v2 }), v1Envelope({ accepts: v1 }));
}

/** Creates a correct response in both versions, with the given changes of the version 1 option. */
function withV1Option(change: JsonObject): ChallengeResponse {
  return withBoth([v2Option()], [v1Option(change)]);
}

/** Creates a response whose body also has a version 2 envelope, with the given options. */
function withMirror(...accepts: readonly JsonObject[]): ChallengeResponse {
  return dualResponse(TWO_PAYEES, v2Envelope({ accepts }));
}

/** Adds a `WWW-Authenticate` header, which other payment protocols use, to a response. */
function withAuthenticate(value: string, response = v2Response()): ChallengeResponse {
  return { ...response, headers: [...response.headers, ['WWW-Authenticate', value]] };
}

/** Responses in which both versions agree, although they write options, addresses or queries differently. */
const AGREEING = [
  dualResponse(),
  withV1Option({ asset: BASE_USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() }),
  withV1Option({ resource: 'https://api.example.com/v1/weather/?city=Oslo' }),
  // Options are paired by asset, not by position.
  withBoth([v2Option()], [v1Option(ON_SEPOLIA), v1Option()]),
  withBoth([CHEAP, v2Option()], [v1Option()]),
  withBoth([v2Option({ asset: `eip155:8453/erc20:${BASE_USDC.toLowerCase()}` })], [v1Option()]),
];
/** Responses in which the versions have no options to compare. */
const NOT_COMPARED = [v2Response(), v1Response(), withBoth([], [])];
const OTHER_ASSET = { network: 'eip155:137', asset: OTHER_WALLET };
/** The versions contradict each other on one asset, although their other options agree. */
const PARTLY_AGREEING = withBoth(
  [v2Option(), v2Option({ ...OTHER_ASSET, amount: '1' })],
  [v1Option(), v1Option({ ...OTHER_ASSET, network: 'polygon', maxAmountRequired: '2' })],
);

testRules<ChallengeResponse>({
  rules: MIXED_RULES,
  read: (response) => readChallenge(response),
  cases: {
    'mixed-v1-in-header': {
      pass: [v2Response()],
      error: [v2Response(v1Envelope()), dualResponse(v1Envelope(), v2Envelope())],
      skip: [v1Response()],
    },
    'mixed-v2-in-body-only': {
      pass: [dualResponse(v2Envelope(), v2Envelope())],
      error: [v1Response(v2Envelope())],
      skip: [
        v1Response(),
        // The header rules report a header with another name and a header without JSON.
        v2Response(undefined, { headers: [['X-Payment-Required', encode(v2Envelope())]], body: BODY_TEXT }),
        v2Response(undefined, { headers: [['Payment-Required', 'pay me']], body: BODY_TEXT }),
      ],
    },
    'mixed-v2-body-mirror': {
      pass: [v2Response(), dualResponse(TWO_PAYEES, { x402Version: 2, error: 'Payment required' })],
      warning: [withMirror(v2Option(), v2Option()), withMirror(v2Option()), withMirror()],
      // The body repeats the header, in another order and letter case.
      'info on hygiene': [
        withMirror(v2Option({ payTo: OTHER_WALLET }), v2Option({ asset: BASE_USDC.toLowerCase() })),
      ],
      skip: [v1Response()],
    },
    'dual-payto': {
      pass: AGREEING,
      error: [withV1Option({ payTo: OTHER_WALLET })],
      skip: [...NOT_COMPARED, withV1Option({ payTo: '' })],
    },
    'dual-amount': {
      pass: AGREEING,
      error: [
        ...[withV1Option({ maxAmountRequired: '20000' }), PARTLY_AGREEING],
        withBoth([MAXIMUM, CHEAP], [v1Option()]),
      ],
      skip: [
        ...NOT_COMPARED,
        ...[withBoth([MAXIMUM], [v1Option()]), withV1Option({ maxAmountRequired: '0.01' })],
        withBoth([v2Option({ amount: '$1' })], [v1Option()]),
      ],
    },
    'dual-network': { pass: AGREEING, warning: [withV1Option(ON_SEPOLIA)], skip: NOT_COMPARED },
    'dual-asset': {
      pass: AGREEING,
      warning: [withV1Option({ asset: OTHER_WALLET })],
      skip: [...NOT_COMPARED, withV1Option(ON_SEPOLIA)],
    },
    'client-settings': {
      pass: [v2Response(), v1Response(), withBoth([IN_EURC], [v1Option()])],
      warning: [v2Offer(IN_EURC), v2Offer(SCHEME_OPTIONS.upto)],
      info: [v2Offer({ amount: '25000000' })],
      skip: [v2Offer({ payTo: '' }), v2Offer({ asset: OTHER_WALLET })],
    },
    'dialect-other': {
      pass: [v2Response()],
      info: [
        ...[withAuthenticate('L402 macaroon="AGIA", invoice="lnbc1"'), withAuthenticate('Payment id="1"')],
        withAuthenticate('L402 a="b"', { ...v2Response(), status: 401, headers: [], body: null }),
      ],
    },
  },
});

test('contradicting amounts are named with their asset', () => {
  expect(getCheck(readChallenge(PARTLY_AGREEING), 'dual-amount').message).toBe(
    'The header requests 1 atomic units and the body 2, for the same asset on "eip155:137".',
  );
});

describe('a response can', () => {
  test.each<[string, ChallengeResponse, JsonObject]>([
    ['be paid in both versions', dualResponse(), { payable: { v1: true, v2: true } }],
    [
      'contradict itself although each version is payable',
      withV1Option({ payTo: OTHER_WALLET }),
      { payable: { v1: true, v2: true }, verdict: 'errors' },
    ],
    [
      'have unpayable version 2 options in its body',
      v1Response(v2Envelope()),
      { version: 2, source: 'body', verdict: 'unpayable', options: [{ amountUsd: '0.010000' }] },
    ],
    [
      'be paid with a version 1 envelope in the header, which is an error',
      v2Response(v1Envelope()),
      { version: 1, source: 'header', payable: { v1: false, v2: true }, verdict: 'errors' },
    ],
    [
      'be paid although it offers another payment protocol',
      withAuthenticate('Payment id="1"'),
      { payable: { v2: true } },
    ],
  ])('%s', (_, response, expected) => {
    expect(readChallenge(response)).toMatchObject(expected);
  });
});
