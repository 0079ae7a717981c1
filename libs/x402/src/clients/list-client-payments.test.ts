import { expect, test } from 'vitest';
import { BASE_USDC, DOMAIN, PAY_TO, POLYGON, REQUEST_URL, SCHEME_OPTIONS } from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';
import { listClientPayments, type ClientPayment } from './list-client-payments.ts';

const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: BASE_USDC,
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: DOMAIN,
};

function respond(accepts: readonly object[], change: Partial<ChallengeResponse> = {}): ChallengeResponse {
  const envelope = { x402Version: 2, resource: { url: REQUEST_URL }, accepts };
  const header = btoa(JSON.stringify(envelope));
  return {
    ...{ url: REQUEST_URL, method: 'GET', status: 402, headers: [['PAYMENT-REQUIRED', header]], body: '{}' },
    ...change,
  };
}

test('judges each combination of scheme and network by itself', () => {
  const rows = listClientPayments(
    respond([
      OPTION,
      { ...OPTION, ...POLYGON, payTo: POLYGON.asset },
      { ...OPTION, ...SCHEME_OPTIONS.upto },
      { ...OPTION, network: 'base-sepolia' },
    ]),
  );
  const toRow = ({ version, scheme, network, signs, arrives, settings }: ClientPayment) => [
    version,
    scheme,
    network,
    signs,
    arrives,
    settings.length,
  ];
  expect(rows.map(toRow)).toEqual([
    [2, 'exact', 'eip155:8453', true, true, 0],
    [2, 'exact', 'eip155:137', true, false, 0],
    [2, 'upto', 'eip155:8453', true, true, 1],
    [2, 'exact', 'eip155:84532', false, false, 0],
    [1, null, null, false, false, 0],
  ]);
  expect(rows[1]?.reason).toContain('the token contract itself');
  expect(rows[3]?.reason).toContain('version 1 name');
});

test('a fault that stops the client of the whole list is the reason of every row', () => {
  const [first, second] = listClientPayments(respond([OPTION, { ...OPTION, ...POLYGON, amount: {} }]));
  expect(first).toMatchObject({ network: 'eip155:8453', signs: false });
  expect(first?.reason).toBe(second?.reason);
});

test('the version 2 client reads a version 1 body when the header is missing', () => {
  const { amount, ...members } = OPTION;
  const entry = { ...members, network: 'base', maxAmountRequired: amount, resource: REQUEST_URL };
  const body = JSON.stringify({
    x402Version: 1,
    error: 'payment required',
    accepts: [{ ...entry, description: 'Weather', mimeType: 'application/json' }],
  });
  const rows = listClientPayments(respond([], { headers: [], body }));
  expect(rows.map(({ version, network, arrives }) => [version, network, arrives])).toEqual([
    [2, 'eip155:8453', true],
    [1, 'eip155:8453', true],
  ]);
});

test('a status other than 402 stops the clients of all options', () => {
  const [row] = listClientPayments(respond([OPTION], { status: 200 }));
  expect(row).toMatchObject({
    network: 'eip155:8453',
    signs: false,
    reason: expect.stringContaining('200') as string,
  });
});
