import { isAddress } from 'viem';
import { expect, it } from 'vitest';
import { readTransfersFrom } from '../support/payment/chain.ts';
import {
  encode,
  openSale,
  readChallenge,
  readReceipt,
  SALE_PATH,
  send,
  type ExactPayment,
  type Sale,
} from '../support/payment/exact-sale.ts';
import { getSiteUrl } from '../support/site-request.ts';

// Each title names checks of the suite moped2110/x402-conformance. The page docs/conformance.md lists the same checks.

/** Address whose private key is unknown. */
const OTHER_ADDRESS = '0x000000000000000000000000000000000000dEaD';
/** Address without contract code: the first development account of anvil. */
const ACCOUNT_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const UNKNOWN_CONTRACT = '0x1111111111111111111111111111111111111111';
const CONTROL_CHARACTERS = String.fromCodePoint(0x00, 0x202e, 0x07, 0xe9);
const HOUR_SECONDS = 3_600;

const toTime = (seconds: number): string => String(Math.floor(Date.now() / 1_000) + seconds);

const countTransfers = async ({ payer, terms }: Sale): Promise<number> =>
  (await readTransfersFrom(payer, terms.network)).length;

/** Changes a signed payment. Returns the changed payment, or a string for the payment header. */
type Change = (payment: ExactPayment, sale: Sale) => object | string | Promise<object>;

/** Creates a change of the authorization. The signature stays the same, so the signature does not fit the changed authorization. */
const withAuthorization =
  (change: (sale: Sale) => Readonly<Record<string, string>>): Change =>
  ({ payload, ...payment }, sale) => ({
    ...payment,
    payload: { ...payload, authorization: { ...payload.authorization, ...change(sale) } },
  });

const withAccepted =
  (change: (sale: Sale) => object): Change =>
  (payment, sale) => ({ ...payment, accepted: { ...sale.terms, ...change(sale) } });

/** Inverts the first byte of the signature. */
const forge = ({ payload, ...payment }: ExactPayment): object => {
  const { signature } = payload;
  const first = (Number.parseInt(signature.slice(2, 4), 16) ^ 255).toString(16).padStart(2, '0');
  return { ...payment, payload: { ...payload, signature: `0x${first}${signature.slice(4)}` } };
};

/** Expects status 402 with a new challenge and the given error. Expects that nothing was charged. */
async function expectRefused(response: Response, sale: Sale, error: string): Promise<void> {
  expect(response.status).toBe(402);
  expect(readChallenge(response)).toMatchObject({ error, accepts: [sale.terms] });
  expect(response.headers.has('payment-response')).toBe(false);
  expect(await response.json()).toMatchObject({ error, notCharged: true });
  expect(await countTransfers(sale)).toBe(0);
}

it('RS-HS-001 to 007: an unpaid request gets 402 with a challenge that caches do not store', async () => {
  const response = await send(undefined, { body: null });
  expect(response.status).toBe(402);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect([...response.headers.keys()].filter((name) => name.startsWith('x-payment'))).toEqual([]);
  const { resource, accepts } = readChallenge(response);
  const [{ amount } = {}] = accepts;
  expect(await response.json()).toMatchObject({
    x402Version: 1,
    accepts: [{ resource: resource.url, maxAmountRequired: amount }],
  });
});

it('RS-PR-001 to 014: the challenge is complete and stable', async () => {
  const [first, second] = [readChallenge(await send()), readChallenge(await send())];
  expect(second.accepts).toEqual(first.accepts);
  const string = expect.stringMatching(/^[ -~]{1,32}$/) as unknown;
  expect(first).toMatchObject({
    x402Version: 2,
    resource: { url: `${getSiteUrl()}${SALE_PATH}`, serviceName: string },
    accepts: [
      {
        ...{ scheme: 'exact', network: expect.stringMatching(/^eip155:\d+$/) as unknown },
        ...{ amount: expect.stringMatching(/^[1-9]\d*$/) as unknown, extra: { name: string, version: '2' } },
        maxTimeoutSeconds: expect.any(Number) as unknown,
      },
    ],
  });
  for (const { asset, payTo } of first.accepts)
    expect([isAddress(asset), isAddress(payTo)]).toEqual([true, true]);
  for (const extension of Object.values(first.extensions ?? {}))
    expect(extension).toMatchObject({
      info: expect.anything() as unknown,
      schema: expect.anything() as unknown,
    });
});

it.each<[title: string, change: Change, error: string]>([
  ['RS-NEG-003: a wrong signature', forge, 'invalid_exact_evm_signature'],
  [
    'RS-NEG-004: the signature of another account',
    withAuthorization(() => ({ from: OTHER_ADDRESS })),
    'invalid_exact_evm_signature',
  ],
  [
    'RS-SEC-010: a signature for another chain',
    (_, { sign }) => sign({ network: 'eip155:1' }),
    'invalid_exact_evm_signature',
  ],
  [
    'RS-NEG-005: a value below the price',
    withAuthorization(({ terms }) => ({ value: String(BigInt(terms.amount) / 2n) })),
    'invalid_exact_evm_authorization_value',
  ],
  [
    'RS-NEG-007: another recipient',
    withAuthorization(() => ({ to: OTHER_ADDRESS })),
    'invalid_exact_evm_recipient_mismatch',
  ],
  [
    'RS-NEG-008: an expired authorization',
    withAuthorization(() => ({ validBefore: toTime(-1) })),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'RS-NEG-009: an authorization that is not valid yet',
    withAuthorization(() => ({ validAfter: toTime(HOUR_SECONDS), validBefore: toTime(2 * HOUR_SECONDS) })),
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
])('%s is refused', async (_, change, error) => {
  const sale = await openSale();
  await expectRefused(await send(await change(await sale.sign(), sale)), sale, error);
});

it.each<[title: string, change: (sale: Sale) => object]>([
  ['RS-NEG-006: a higher price', ({ terms }) => ({ amount: String(BigInt(terms.amount) * 2n) })],
  ['RS-NEG-011: another network', () => ({ network: 'eip155:999999' })],
  ['RS-NEG-013: a lower price', () => ({ amount: '1' })],
  ['RS-NEG-014: another token', () => ({ asset: UNKNOWN_CONTRACT })],
  ['RS-NEG-015: a token without contract code', () => ({ asset: ACCOUNT_ADDRESS })],
  ['RS-SEC-011: the maximum amount', () => ({ amount: String(2n ** 256n - 1n) })],
])('%s in `accepted` is refused', async (_, change) => {
  const sale = await openSale();
  const payment = await withAccepted(change)(await sale.sign(), sale);
  await expectRefused(await send(payment), sale, 'No matching payment requirements');
});

it('RS-SEC-006: a wrong signature is refused despite a second header of version 1', async () => {
  const sale = await openSale();
  const older = encode({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' });
  const response = await send(forge(await sale.sign()), { headers: { 'x-payment': older } });
  expect(response.status).toBe(402);
  // Only one of the two payments is read, so the response does not say that nothing was charged.
  const body = (await response.json()) as object;
  expect(body).toMatchObject({ error: 'invalid_exact_evm_signature' });
  expect(body).not.toHaveProperty('notCharged');
  expect(await countTransfers(sale)).toBe(0);
});

it.each<[title: string, change: Change, path: string]>([
  ['RS-NEG-001: a header that is not base64', () => '!!!not-base64!!!', ''],
  ['RS-NEG-002: base64 of invalid JSON', () => btoa('{not valid json'), ''],
  ['RS-NEG-012: x402Version 99', (payment) => ({ ...payment, x402Version: 99 }), 'x402Version'],
  [
    'RS-SEC-003: the URL of another origin in `resource` and `accepted`',
    (payment, sale) => {
      const url = 'https://cross-resource-probe.example/other';
      return { ...payment, resource: { url }, accepted: { ...sale.terms, resource: url } };
    },
    'resource.url',
  ],
  [
    'RS-SEC-004: a nonce of 2 bytes',
    withAuthorization(() => ({ nonce: '0x1234' })),
    'payload.authorization.nonce',
  ],
  [
    'RS-SEC-007: control characters in the address of the payer',
    withAuthorization(({ payer }) => ({ from: `${payer.address}${CONTROL_CHARACTERS}` })),
    'payload.authorization.from',
  ],
])('%s gets 400', async (_, change, path) => {
  const sale = await openSale();
  const response = await send(await change(await sale.sign(), sale));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    ...{ code: 'invalid-payment', notCharged: true },
    errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
  });
  expect(await countTransfers(sale)).toBe(0);
});

it('RS-PAY-001 to 004, RS-HS-008, RS-HS-009, RS-SEC-001: a payment gets its result again, with one transfer', async () => {
  const sale = await openSale();
  const { payer, terms } = sale;
  const payment = await sale.sign();
  const paid = await send(payment);
  expect([paid.status, paid.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect(paid.headers.has('extension-responses')).toBe(false);
  const receipt = readReceipt(paid);
  expect(receipt).toMatchObject({
    success: true,
    network: terms.network,
    payer: payer.address.toLowerCase(),
  });
  // Until the settlement is recorded, the response has status 409.
  await expect.poll(async () => (await send(payment)).status).toBe(200);
  expect(await (await send(payment)).json()).toEqual(await paid.json());
  const other = await send(payment, { body: { resource: 'https://skyfall.sandbox.test/v2/current' } });
  expect(other.status).toBe(409);
  expect(await other.json()).toMatchObject({ code: 'payment-reused' });
  const { network, amount } = terms;
  const [asset, payTo] = [terms.asset.toLowerCase(), terms.payTo.toLowerCase()];
  const { transaction } = receipt;
  expect(await readTransfersFrom(payer, network)).toEqual([{ network, transaction, asset, payTo, amount }]);
});

it('RS-SEC-002: one of five copies of a payment at the same time gets the result', async () => {
  const sale = await openSale();
  const payment = await sale.sign();
  const responses = await Promise.all(Array.from({ length: 5 }, () => send(payment)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  for (const response of responses.filter(({ status }) => status === 409)) {
    expect(await response.json()).toMatchObject({ code: 'payment-in-progress' });
  }
  expect(await countTransfers(sale)).toBe(1);
});

it('RS-SEC-005: a header of 1 MiB gets 431', async () => {
  expect((await send('A'.repeat(1_048_576))).status).toBe(431);
});

it('a payment without a body gets 415 if its terms are right, and otherwise 402', async () => {
  const sale = await openSale();
  const payment = await sale.sign();
  for (const each of [payment, forge(payment)]) {
    const response = await send(each, { body: null });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported-media-type', notCharged: true });
  }
  const lower = await withAuthorization(() => ({ value: '1' }))(payment, sale);
  const refused = await send(lower, { body: null });
  await expectRefused(refused, sale, 'invalid_exact_evm_authorization_value');
});
