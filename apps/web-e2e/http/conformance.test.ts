import { isAddress } from 'viem';
import { expect, it } from 'vitest';
import { readTransfersFrom } from '../support/payment/chain.ts';
import {
  encode,
  forge,
  openSale,
  readChallenge,
  readReceipt,
  SALE_PATH,
  sendAgain,
  sendHeader,
  sendWithoutBody,
  withPayload,
  type ExactPayment,
  type Sale,
} from '../support/payment/exact-sale.ts';
import { callFacilitator } from '../support/payment/facilitator.ts';
import { getSiteUrl } from '../support/site-request.ts';

// Each title names checks of the suite moped2110/x402-conformance. The page docs/conformance.md lists the same checks.

/** Address without a known key. */
const OTHER_ADDRESS = '0x000000000000000000000000000000000000dEaD';
/** Address without contract code: the first development account of anvil. */
const ACCOUNT_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const UNKNOWN_CONTRACT = '0x1111111111111111111111111111111111111111';
const MAX_UINT256 = String(2n ** 256n - 1n);
const HOUR_SECONDS = 3_600;

const getNow = (): number => Math.floor(Date.now() / 1_000);

const countTransfers = async ({ payer, terms }: Sale): Promise<number> =>
  (await readTransfersFrom(payer, terms.network)).length;

/** Sends a payment of a sale. Each header of `headers` is added to the request. */
const send = (payment: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  sendHeader(encode(payment), { headers });

/** Expects status 402 with a new challenge and this error, without a charge. */
async function expectRefused(response: Response, sale: Sale, error: string): Promise<void> {
  expect(response.status).toBe(402);
  expect(readChallenge(response)).toMatchObject({ error, accepts: [sale.terms] });
  expect(response.headers.has('payment-response')).toBe(false);
  expect(await response.json()).toMatchObject({ error, notCharged: true });
  expect(await countTransfers(sale)).toBe(0);
}

/** Expects status 400 because the payment is malformed, without a charge. */
async function expectMalformed(response: Response, sale: Sale, path: string): Promise<void> {
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    ...{ code: 'invalid-payment', notCharged: true },
    errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
  });
  expect(await countTransfers(sale)).toBe(0);
}

it('RS-HS-001 to 007: an unpaid request gets 402 with a challenge that caches do not store', async () => {
  const response = await sendWithoutBody();
  expect(response.status).toBe(402);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect([...response.headers.keys()].filter((name) => name.startsWith('x-payment'))).toEqual([]);
  expect(readChallenge(response)).toEqual(await response.json());
});

it('RS-PR-001 to 014: the challenge is complete and stable', async () => {
  const [first, second] = [readChallenge(await sendWithoutBody()), readChallenge(await sendWithoutBody())];
  expect(second.accepts).toEqual(first.accepts);
  const [{ asset, payTo }] = first.accepts;
  expect([asset, payTo].filter((address) => !isAddress(address))).toEqual([]);
  const { url, serviceName = '', tags = [], iconUrl = 'https://' } = first.resource;
  expect(url).toBe(`${getSiteUrl()}${SALE_PATH}`);
  expect(serviceName).toMatch(/^[ -~]{0,32}$/);
  expect(tags.filter((tag) => !/^[ -~]{1,32}$/.test(tag))).toEqual([]);
  expect(tags.length).toBeLessThanOrEqual(5);
  expect(iconUrl).toMatch(/^https?:\/\//);
  for (const { info, schema } of Object.values(first.extensions)) {
    expect(info).toBeDefined();
    expect(schema).toBeDefined();
  }
});

for (const [id, header] of [
  ['RS-NEG-001: a header that is not base64', '!!!not-base64!!!'],
  ['RS-NEG-002: base64 of invalid JSON', Buffer.from('{not valid json').toString('base64')],
] as const) {
  it(`${id} gets 400`, async () => {
    await expectMalformed(await sendHeader(header), await openSale(), '');
  });
}

it('RS-NEG-003: a wrong signature is refused', async () => {
  const sale = await openSale();
  await expectRefused(await send(forge(await sale.sign())), sale, 'invalid_exact_evm_signature');
});

it('RS-NEG-004: the signature of another account is refused', async () => {
  const sale = await openSale();
  const payment = withPayload(await sale.sign(), { from: OTHER_ADDRESS });
  await expectRefused(await send(payment), sale, 'invalid_exact_evm_signature');
});

it('RS-SEC-006: a wrong signature is refused despite a second header of version 1', async () => {
  const sale = await openSale();
  const older = encode({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' });
  const response = await send(forge(await sale.sign()), { 'x-payment': older });
  await expectRefused(response, sale, 'invalid_exact_evm_signature');
});

it('RS-SEC-010: a signature for another chain is refused', async () => {
  const sale = await openSale();
  const payment = await sale.sign({ terms: { network: 'eip155:1' } });
  await expectRefused(await send({ ...payment, accepted: sale.terms }), sale, 'invalid_exact_evm_signature');
});

for (const [id, createAuthorization, error] of [
  [
    'RS-NEG-005: a value below the price',
    ({ terms }: Sale) => ({ value: String(BigInt(terms.amount) / 2n) }),
    'invalid_exact_evm_authorization_value',
  ],
  ['RS-NEG-007: another recipient', () => ({ to: OTHER_ADDRESS }), 'invalid_exact_evm_recipient_mismatch'],
  [
    'RS-NEG-008: an expired authorization',
    () => ({ validBefore: String(getNow() - 1) }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'RS-NEG-009: an authorization that is not valid yet',
    () => ({
      validAfter: String(getNow() + HOUR_SECONDS),
      validBefore: String(getNow() + 2 * HOUR_SECONDS),
    }),
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
] as const) {
  it(`${id} is refused`, async () => {
    const sale = await openSale();
    const payment = await sale.sign({ authorization: createAuthorization(sale) });
    await expectRefused(await send(payment), sale, error);
  });
}

for (const [id, createTerms] of [
  ['RS-NEG-006: a higher price', ({ terms }: Sale) => ({ amount: String(BigInt(terms.amount) * 2n) })],
  ['RS-NEG-011: another network', () => ({ network: 'eip155:999999' })],
  ['RS-NEG-013: a lower price', () => ({ amount: '1' })],
  ['RS-NEG-014: another token', () => ({ asset: UNKNOWN_CONTRACT })],
  ['RS-NEG-015: a token without contract code', () => ({ asset: ACCOUNT_ADDRESS })],
  ['RS-SEC-011: the maximum amount', () => ({ amount: MAX_UINT256 })],
] as const) {
  it(`${id} in \`accepted\` is refused`, async () => {
    const sale = await openSale();
    const payment = await sale.sign({ terms: createTerms(sale) });
    await expectRefused(await send(payment), sale, 'No matching payment requirements');
  });
}

it('RS-PAY-001 to 004, RS-HS-008, RS-HS-009: a payment gets the result with one transfer', async () => {
  const sale = await openSale();
  const { payer, terms } = sale;
  const header = encode(await sale.sign());
  const paid = await sendHeader(header);
  expect(paid.status).toBe(200);
  expect(paid.headers.get('cache-control')).toBe('private, no-store');
  expect(paid.headers.has('extension-responses')).toBe(false);
  const receipt = readReceipt(paid);
  expect(receipt).toMatchObject({
    ...{ success: true, network: terms.network },
    payer: payer.address.toLowerCase(),
  });
  expect(await readTransfersFrom(payer, terms.network)).toEqual([
    {
      network: terms.network,
      transaction: receipt.transaction,
      asset: terms.asset.toLowerCase(),
      payTo: terms.payTo.toLowerCase(),
      amount: terms.amount,
    },
  ]);
});

it('RS-SEC-001: the same payment gets the same result without another transfer', async () => {
  const sale = await openSale();
  const header = encode(await sale.sign());
  const paid = await sendHeader(header);
  const again = await sendAgain(header);
  expect([paid.status, again.status]).toEqual([200, 200]);
  expect(await again.json()).toEqual(await paid.json());
  const other = await sendHeader(header, { body: { resource: 'https://skyfall.sandbox.test/v2/current' } });
  expect(other.status).toBe(409);
  expect(await other.json()).toMatchObject({ code: 'payment-reused' });
  expect(await countTransfers(sale)).toBe(1);
});

it('RS-SEC-002: one of five copies of a payment at the same time gets the result', async () => {
  const sale = await openSale();
  const header = encode(await sale.sign());
  const responses = await Promise.all(Array.from({ length: 5 }, () => sendHeader(header)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  for (const response of responses.filter(({ status }) => status === 409)) {
    expect(await response.json()).toMatchObject({ code: 'payment-in-progress' });
  }
  expect(await countTransfers(sale)).toBe(1);
});

it('RS-SEC-005: a header of 1 MiB gets 431', async () => {
  expect((await sendHeader('A'.repeat(1_048_576))).status).toBe(431);
});

for (const [id, change, path] of [
  ['RS-NEG-012: x402Version 99', (payment) => ({ ...payment, x402Version: 99 }), 'x402Version'],
  [
    'RS-SEC-003: the URL of another origin in `resource` and `accepted`',
    (payment) => {
      const url = 'https://cross-resource-probe.example/other';
      return { ...payment, resource: { url }, accepted: { ...payment.accepted, resource: url } };
    },
    'resource.url',
  ],
  [
    'RS-SEC-004: a nonce of 2 bytes',
    (payment) => withPayload(payment, { nonce: '0x1234' }),
    'payload.authorization.nonce',
  ],
  [
    'RS-SEC-007: control characters in the address of the payer',
    (payment) => {
      const characters = String.fromCodePoint(0x00, 0x202e, 0x07, 0xe9);
      return withPayload(payment, { from: `${payment.payload.authorization.from}${characters}` });
    },
    'payload.authorization.from',
  ],
] satisfies readonly (readonly [string, (payment: ExactPayment) => object, string])[]) {
  it(`${id} gets 400`, async () => {
    const sale = await openSale();
    await expectMalformed(await send(change(await sale.sign())), sale, path);
  });
}

it('a payment without a body gets 415 if its terms are right, and otherwise 402', async () => {
  const sale = await openSale();
  const payment = await sale.sign();
  for (const each of [payment, forge(payment)]) {
    const response = await sendWithoutBody({ 'payment-signature': encode(each) });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported-media-type', notCharged: true });
  }
  const lower = await sale.sign({ authorization: { value: '1' } });
  const refused = await sendWithoutBody({ 'payment-signature': encode(lower) });
  await expectRefused(refused, sale, 'invalid_exact_evm_authorization_value');
});

it('the facilitator lists the network of the challenge as supported', async () => {
  const { terms } = await openSale();
  const { status, body } = await callFacilitator('/supported');
  expect(status).toBe(200);
  expect(body['kinds']).toContainEqual(
    expect.objectContaining({ x402Version: 2, scheme: 'exact', network: terms.network }),
  );
  expect(body).toMatchObject({
    extensions: expect.any(Array) as unknown,
    signers: expect.any(Object) as unknown,
  });
});

for (const [title, change, reason] of [
  ['a payment without a valid signature', {}, 'invalid_exact_evm_signature'],
  ['terms without a token domain', { extra: undefined }, 'invalid_exact_evm_missing_eip712_domain'],
  ['an unsupported network', { network: 'eip155:999999999' }, 'invalid_network'],
  ['an unsupported scheme', { scheme: 'upto' }, 'unsupported_scheme'],
] as const) {
  it(`the facilitator declines ${title}`, async () => {
    const sale = await openSale();
    const paymentRequirements = { ...sale.terms, ...change };
    const signature = `0x${'00'.repeat(65)}`;
    const payment = withPayload(await sale.sign(), { signature });
    const paymentPayload = { ...payment, accepted: paymentRequirements };
    const request = { x402Version: 2, paymentPayload, paymentRequirements };
    expect(await callFacilitator('/verify', request)).toMatchObject({
      status: 200,
      body: { isValid: false, invalidReason: reason },
    });
    expect(await callFacilitator('/settle', request)).toMatchObject({
      status: 200,
      body: { success: false, errorReason: reason },
    });
    expect(await countTransfers(sale)).toBe(0);
  });
}

it('the facilitator responds with 400 to a malformed request', async () => {
  for (const path of ['/verify', '/settle']) {
    expect(await callFacilitator(path, { nonsense: true })).toMatchObject({ status: 400 });
  }
});
