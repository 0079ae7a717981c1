import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { BASE_USDC, DOMAIN, PAY_TO, REQUEST_URL, SCHEME_OPTIONS, SOLANA } from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';
import { repairChallenge } from './repair-challenge.ts';

const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: BASE_USDC,
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: DOMAIN,
};
const RESOURCE = { url: REQUEST_URL, description: 'Weather', mimeType: 'application/json' };

function repair(
  accepts: readonly object[],
  { extensions, ...change }: Partial<ChallengeResponse> & { readonly extensions?: object } = {},
) {
  const envelope = { x402Version: 2, error: 'Payment required', resource: RESOURCE, accepts, extensions };
  const response: ChallengeResponse = {
    ...{ url: `${REQUEST_URL}?city=Bern`, method: 'get', status: 402, body: '{}' },
    headers: [
      ['payment-required', btoa(JSON.stringify(envelope))],
      ['cache-control', 'no-store'],
    ],
    ...change,
  };
  return repairChallenge(response, readChallenge(response));
}

test.each([
  ['a version 1 name', { network: 'base' }, 'v2-network-not-v1-name'],
  ['a price in dollars', { amount: '0.01' }, 'v2-amount-string'],
  ['the token as payee', { payTo: BASE_USDC }, 'v2-payto-is-asset'],
  ['Solana without a fee payer', { ...SOLANA, extra: {} }, 'v2-svm-fee-payer'],
])('names the repaired rules of an option with %s', (_, change, rule) => {
  const repaired = repair([{ ...OPTION, ...change }]);
  expect(repaired?.repairs).toContain(rule);
  expect(repaired?.route).toMatchObject({ method: 'GET', url: REQUEST_URL, description: 'Weather' });
});

test.each([
  ['8453', 'eip155:8453'],
  ['eip155:base', 'eip155:8453'],
  ['Base Mainnet', 'eip155:8453'],
  ['solana:mainnet', SOLANA.network],
])('reads the network %s as %s, and says so', (network, id) => {
  const terms = network.startsWith('solana') ? SOLANA : {};
  const repaired = repair([{ ...OPTION, ...terms, network }])?.route.options[0];
  expect(repaired).toMatchObject({ network: id, price: '$0.01' });
  expect(repaired?.remarks).toEqual([
    `The network of the challenge is not a CAIP-2 id. ${id} is assumed; check that it is yours.`,
  ]);
});

test('a free response gets a route to fill in', () => {
  const free = repair([], { status: 200, headers: [], body: 'sunny' });
  expect(free?.repairs).toContain('http-status-402');
  expect(free?.route.options[0].payTo).toBe('YOUR_WALLET_ADDRESS');
});

test('the remarks name what the code leaves out', () => {
  const upto = { ...OPTION, ...SCHEME_OPTIONS.upto };
  expect(repair([{ ...OPTION, network: 'base' }])?.route.remarks).toEqual([]);
  const { remarks } =
    repair([{ ...OPTION, network: 'base' }, upto], { extensions: { bazaar: {} } })?.route ?? {};
  expect(remarks).toEqual([expect.stringContaining('bazaar'), expect.stringContaining('other schemes')]);
});

test.each([
  ['nothing is to be repaired', [OPTION], {}],
  ['the server failed', [OPTION], { status: 500 }],
  ['the network is unknown', [{ ...OPTION, network: '0g-galileo' }], {}],
  ['the network may be a test network', [{ ...OPTION, network: 'base-test' }], {}],
  ['clients would not sign for the token', [{ ...OPTION, asset: PAY_TO.replace('2', '3'), extra: {} }], {}],
] as const)('returns null if %s', (_, accepts, change) => {
  expect(repair(accepts, change)).toBeNull();
});
