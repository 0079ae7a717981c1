import { createProblem, PAYMENT_VALIDITY_SECONDS } from '@touchstone/contract';
import { connect } from '@touchstone/store';
import { describe, expect, test } from 'vitest';
import {
  buy,
  readChallengeHeader,
  encodePayment,
  readNonce,
  createPayment,
  post,
  sign,
} from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const service = useTestService();

describe('nothing is charged for', () => {
  test('a malformed PAYMENT-SIGNATURE header', async () => {
    const seller = await service.openSeller();
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const { payload } = await createPayment(service.payer, seller.trust, BODY);
    // The payload has an EIP-3009 and a Permit2 authorization. The SDK would settle the Permit2 authorization, although
    // only the nonce of the EIP-3009 authorization was checked.
    const both = { ...payload, payload: { ...payload.payload, permit2Authorization: { from: '0x1' } } };
    const unreadable = ['!!!', base64({ x402Version: 2 }), base64(both)];
    for (const payment of unreadable) {
      const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
      expect(toStatusAndCode(reply)).toEqual([400, 'invalid-payment']);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }
    expect(service.proxy.calls).toEqual([]);
  });

  test.each([
    ['amount', { amount: '4999' }],
    ['network', { network: 'eip155:84532' as const }],
    ['asset', { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }],
    ['wallet', { payTo: '0x00000000000000000000000000000000000000a2' }],
  ])('payment terms with another %s than the challenge', async (_, changed) => {
    const error = 'No matching payment requirements';
    const seller = await service.openSeller();
    const challenge = readChallengeHeader(await post(seller.trust, BODY));
    const accepts = challenge.accepts.map((terms) => ({ ...terms, ...changed }));
    const payload = await sign(service.payer, { ...challenge, accepts });
    const reply = await service.expectNotCharged(() =>
      post(seller.trust, BODY, { payment: encodePayment(payload) }),
    );
    expect(toStatusAndCode(reply)).toEqual([402, error]);
    expect(readChallengeHeader(reply)).toMatchObject({ error, accepts: challenge.accepts });
    expect(service.proxy.calls).toEqual([]);
  });

  test('an authorization of another kind', async () => {
    const { seller, payload } = await service.preparePayment();
    const payment = encodePayment({ ...payload, payload: { permit2Authorization: {} } });
    const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
    expect(toStatusAndCode(reply)).toEqual([402, 'invalid_payload']);
  });

  test('an authorization with a much longer validity than the challenge requires', async () => {
    const seller = await service.openSeller();
    const challenge = readChallengeHeader(await post(seller.trust, BODY));
    const [accepted] = challenge.accepts;
    const signedFor = async (maxTimeoutSeconds: number) => {
      const accepts = challenge.accepts.map((terms) => ({ ...terms, maxTimeoutSeconds }));
      const payload = await sign(service.payer, { ...challenge, accepts });
      return encodePayment({ ...payload, ...(accepted ? { accepted } : {}) });
    };
    for (const seconds of [PAYMENT_VALIDITY_SECONDS + 660, 200_000_000_00]) {
      const payment = await signedFor(seconds);
      const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
      expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before']);
    }
    // A validity that is nine minutes too long is accepted, because the payer's clock may be some minutes fast.
    expect(
      (await post(seller.trust, BODY, { payment: await signedFor(PAYMENT_VALIDITY_SECONDS + 540) })).status,
    ).toBe(200);
  });

  test('an empty wallet, with the code of the facilitator and a sentence', async () => {
    const seller = await service.openSeller();
    const emptyWallet = await service.world.createWallet(0n);
    const reply = await service.expectNotCharged(() => buy(emptyWallet, seller.trust, BODY));
    expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
    expect(reply.body['detail']).toBe(
      'The payer does not hold enough USDC for this payment. Nothing was charged.',
    );
    expect(readChallengeHeader(reply)).not.toHaveProperty('detail');
    expect(service.workedFor).toEqual([]);
  });

  test('an invalid body, and the payment can be used for a corrected one', async () => {
    const { seller, payment } = await service.preparePayment();
    const attempt = (body: unknown, headers = {}) =>
      service.expectNotCharged(() => post(seller.trust, body, { payment, headers }));
    expect(toStatusAndCode(await attempt('{'))).toEqual([400, 'invalid-request']);
    expect(toStatusAndCode(await attempt('"\\ud800"'))).toEqual([400, 'invalid-request']);
    const wrong = await attempt({ resource: 7, 'x\u0000y': 1 });
    expect(wrong.body['errors']).toMatchObject([{ path: 'resource' }, { path: '' }]);
    expect(toStatusAndCode(await attempt({ resource: 'https://a.example/\ud800' }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect(toStatusAndCode(await attempt(BODY, { 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported-media-type',
    ]);
    expect(toStatusAndCode(await attempt(BODY, { 'content-encoding': 'gzip' }))).toEqual([
      415,
      'unsupported-media-type',
    ]);
    expect(toStatusAndCode(await attempt(JSON.stringify({ resource: 'x'.repeat(70_000) })))).toEqual([
      413,
      'body-too-large',
    ]);
    expect(service.workedFor).toEqual([]);
    expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  });

  test('work without a result, and the payment can be used for another request', async () => {
    const { seller, payment } = await service.preparePayment();
    service.behavior.work = async () => ({ problem: createProblem('not-probeable', 'It gave no answer.') });
    const refused = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
    expect(toStatusAndCode(refused)).toEqual([422, 'not-probeable']);
    expect(refused.headers.has('retry-after')).toBe(false);
    const problem = createProblem('search-unavailable', 'The embedder does not respond.');
    service.behavior.work = async () => ({ problem, retryAfterSeconds: 30 });
    const unavailable = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
    expect(toStatusAndCode(unavailable)).toEqual([503, 'search-unavailable']);
    expect(unavailable.headers.get('retry-after')).toBe('30');
    service.behavior.work = async () => Promise.reject(new Error('a bug'));
    expect(
      toStatusAndCode(await service.expectNotCharged(() => post(seller.trust, BODY, { payment }))),
    ).toEqual([500, 'internal']);
    service.behavior.work = service.defaultWork;
    expect((await post(seller.trust, { resource: 'https://other.example/' }, { payment })).status).toBe(200);
  });
});

describe('a response has no notCharged when an earlier request may have charged the payment', () => {
  test('while the database is unreachable', async () => {
    const seller = await service.openSeller();
    const disconnected = await service.openSeller({
      db: connect({ url: 'http://127.0.0.1:1', key: 'none' }),
    });
    const { payment } = await createPayment(service.payer, seller.trust, BODY);
    await post(seller.trust, BODY, { payment });
    const reply = await post(disconnected.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
    expect(reply.text).not.toMatch(/charged/i);
  });

  test('for another request, for an invalid body, and while the facilitator is unreachable', async () => {
    const { seller, payment, payload } = await service.preparePayment();
    await post(seller.trust, BODY, { payment });
    const withoutSecret = encodePayment({ ...payload, extensions: {} });
    service.proxy.setFault(respondWith('/verify', 'oops', 500));
    const replies = [
      await post(seller.history, BODY, { payment }),
      await post(seller.trust, '{', { payment }),
      await post(seller.trust, BODY, { payment: withoutSecret }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 400, 503]);
    for (const { text } of replies) expect(text).not.toMatch(/charged/i);
  });
});

describe('an authorization that its payer cancels', () => {
  test('during the work is refused', async () => {
    const { seller, payload, payment } = await service.preparePayment();
    service.behavior.work = async (input, buyer, context) => {
      await service.world.cancelAuthorization(service.payer, readNonce(payload));
      return service.defaultWork(input, buyer, context);
    };
    expect((await service.expectNotCharged(() => post(seller.trust, BODY, { payment }))).status).toBe(402);
    service.behavior.work = service.defaultWork;
    expect((await post(seller.trust, BODY, { payment })).status).toBe(402);
  });
});
