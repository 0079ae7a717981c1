import { Readable } from 'node:stream';
import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import axios from 'axios';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../ledger/ledger.ts';
import { createMemoryJournal } from '../ledger/memory-journal.ts';
import { refuse, setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements, encode } from '../testing/seller.ts';
import { readSignedPayment } from './signed-payment.ts';

closeServersAfterEach();

async function setUp(setup: Setup = {}) {
  const world = await setUpClient(setup);
  return { ...world, pay: wrapFetchWithPayment(world.guard.wrapFetch(fetch), world.client) };
}

/** Returns the number of different payments that a seller received. */
const countNonces = (payments: readonly string[]) =>
  new Set(payments.map((payment) => readSignedPayment(payment)?.transfer?.nonce)).size;

describe('a repeated request', () => {
  it.each(['fetch', 'axios'])('sends the payment again whose response was lost, with %s', async (kind) => {
    const { pay, seller, guard, signer, countSignatures } = await setUp();
    const paying = new x402Client().register('eip155:8453', new ExactEvmScheme(signer));
    const api = wrapAxiosWithPayment(guard.wrapAxios(axios.create({ proxy: false })), paying);
    const url = `${seller.url}/v2/weather`;
    const body = { city: 'Berlin' };
    const buy = async (): Promise<unknown> =>
      kind === 'axios'
        ? (await api.post(url, body)).data
        : (await pay(url, { method: 'POST', body: JSON.stringify(body) })).text();
    const { deliver } = seller;
    seller.deliver = (response) => void response.destroy();
    await expect(buy()).rejects.toThrow();
    seller.deliver = deliver;
    expect(await buy()).toBe('the weather');
    expect([seller.payments.length, countNonces(seller.payments), countSignatures()]).toEqual([2, 1, 2]);
  });

  it('is refused after a delivery, unless the method, the query or the body differs', async () => {
    const { pay, seller } = await setUp();
    const url = `${seller.url}/v2/weather`;
    const post = (body: RequestInit['body']) => ({ method: 'POST', body: body ?? null });
    const requests: [string, RequestInit?][] = [
      [url],
      [`${url}?city=berlin`],
      [url, post('a')],
      [url, post(new Uint8Array([98]))],
      [url, post(new URLSearchParams('c=1'))],
      [url, post(new Blob(['d']))],
    ];
    for (const request of requests) expect(await refuse(pay(...request))).toBe('status 200');
    for (const request of requests) expect(await refuse(pay(...request))).toBe('repeated-request');
    expect(await refuse(pay(new Request(url, post('a'))))).toBe('repeated-request');
  });
});

describe('a payment that is sent again', () => {
  it('leads to a warning that says so', async () => {
    const { pay, seller, decisions } = await setUp();
    seller.deliver = (response) => void response.writeHead(402).end('no');
    for (const status of [402, 402])
      expect(await refuse(pay(`${seller.url}/v2/weather`))).toBe(`status ${status}`);
    expect(decisions.at(-1)).toMatchObject({ action: 'warn', reasons: [{ code: 'payment-resent' }] });
  });

  it('is never a voucher, because the seller accepts only the latest voucher of a channel', async () => {
    const { guard, seller } = await setUp();
    const accepted = { ...createRequirements(), scheme: 'batch-settlement' };
    const { payTo: receiver, asset: token } = accepted;
    const payments = ['10000', '20000'].map((maxClaimableAmount) =>
      encode({
        ...{ x402Version: 2, accepted },
        payload: {
          ...{ type: 'voucher', voucher: { maxClaimableAmount, channelId: '0x1', signature: '0x1' } },
          channelConfig: { payer: '0x1', receiver, token },
        },
      }),
    );
    for (const payment of payments) {
      const request = { url: `${seller.url}/v2/weather`, method: 'GET', payment };
      expect(await guard.authorize(request)).toMatchObject({ payment, decision: { action: 'pay' } });
    }
    expect((await guard.spending()).totalUsd).toBe('0');
  });
});

describe('a payment that onDecision stops', () => {
  it('does not count', async () => {
    const world = await setUp({
      options: {
        onDecision: ({ reasons }) => {
          if (reasons.some(({ code }) => code === 'undelivered')) throw new Error('stopped');
        },
      },
    });
    const { pay, seller, guard } = world;
    seller.deliver = (response) => void response.writeHead(500).end('no');
    expect(await refuse(pay(`${seller.url}/v2/a`))).toBe('status 500');
    // The second payment leads to a warning on the first one.
    await expect(pay(`${seller.url}/v2/b`)).rejects.toThrow('stopped');
    expect((await guard.spending()).totalUsd).toBe('0.01');
    expect(seller.payments).toHaveLength(1);
  });
});

it('sends a transaction of Solana again only while the chain accepts it', async () => {
  let now = Date.now();
  const answer = () => ({ endpoint: null, generatedAt: new Date(now).toISOString() });
  const { guard, seller } = await setUp({ answer, options: { now: () => now } });
  const accepted = createRequirements({
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    payTo: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
  });
  const sign = (transaction: string) => encode({ x402Version: 2, accepted, payload: { transaction } });
  const authorize = async (transaction: string, seconds: number) => {
    now += seconds * 1_000;
    const payment = sign(transaction);
    const {
      id,
      payment: sent,
      decision,
    } = await guard.authorize({
      ...{ url: `${seller.url}/v2/weather`, method: 'GET', payment },
    });
    if (id !== null) await guard.record(id, { status: 503 });
    return sent ?? decision.reasons.map(({ code }) => code);
  };
  expect(await authorize('first', 0)).toBe(sign('first'));
  expect(await authorize('second', 119)).toBe(sign('first'));
  expect(await authorize('third', 3)).toContain('payment-unclear');
  expect(await authorize('fourth', 3_600)).toBe(sign('fourth'));
});

it.each(['v1', 'v2'])('leaves the query out of the recorded challenge of %s', async (version) => {
  const journal = createMemoryJournal();
  const { pay, seller } = await setUp({ options: { journal } });
  seller.deliver = (response) => void response.writeHead(500).end();
  await pay(`${seller.url}/${version}/weather?key=secret`);
  const [entry] = (await journal.read(0)).entries;
  const challenge = entry?.kind === 'payment' ? entry.challenge : null;
  expect(challenge).toContain(`${seller.url}/${version}/weather"`);
  expect(challenge).not.toContain('secret');
});

it('does not blame a seller who refuses the payment when it is sent again', async () => {
  const outcomes: (number | null)[] = [];
  const onOutcome = ({ httpStatus }: { httpStatus: number | null }) => void outcomes.push(httpStatus);
  const journal = createMemoryJournal();
  const { pay, seller } = await setUp({ options: { journal, onOutcome } });
  const url = `${seller.url}/v2/weather`;
  seller.deliver = (response) => void response.writeHead(502).end();
  await pay(url);
  seller.deliver = (response) => void response.writeHead(402).end();
  await pay(url);
  const ledger = new Ledger();
  for (const entry of (await journal.read(0)).entries) ledger.add(entry);
  expect([outcomes, [...ledger.payments].map(({ httpStatus }) => httpStatus)]).toEqual([[502, null], [502]]);
});

describe('the body of a response', () => {
  it('is passed on as it is, with the URL after redirects', async () => {
    const { pay, seller } = await setUp();
    seller.deliver = (response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"a":');
      response.end('1}');
    };
    const response = await pay(`${seller.url}/moved`);
    const clone = response.clone();
    for (const each of [response, clone])
      expect([each.url, each.redirected, await each.json()]).toEqual([
        `${seller.url}/v2/weather`,
        true,
        { a: 1 },
      ]);
  });

  it('is left alone if it is no web stream', async () => {
    const { guard, client, seller } = await setUp();
    const fetchOther: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      return Object.defineProperty(response, 'body', { value: Readable.from(['a']) });
    };
    const pay = wrapFetchWithPayment(guard.wrapFetch(fetchOther), client);
    expect((await pay(`${seller.url}/v2/weather`)).status).toBe(200);
    expect((await guard.spending()).lastDay).toMatchObject({ payments: 1, delivered: 1 });
  });

  it('decides whether the payment brought something', async () => {
    const outcomes: unknown[] = [];
    const onOutcome = ({ delivered }: { delivered: unknown }) => void outcomes.push(delivered);
    const { pay, seller, guard } = await setUp({ options: { onOutcome } });
    const { deliver } = seller;
    const url = `${seller.url}/v2/weather`;
    seller.deliver = (response) => void response.write('the ', () => response.destroy());
    await expect((await pay(url)).text()).rejects.toThrow();
    // A repeated request sends the payment again whose response was cut off.
    seller.deliver = (response) => void response.writeHead(200, { 'transfer-encoding': 'chunked' }).end();
    expect(await (await pay(url)).text()).toBe('');
    seller.deliver = deliver;
    expect(await (await pay(url)).text()).toBe('the weather');
    expect([outcomes, countNonces(seller.payments)]).toEqual([[false, false, true], 1]);
    await pay(`${url}?unread`);
    await (await pay(`${url}?cancelled`)).body?.cancel();
    await guard.sendOutcomes();
    expect(outcomes.slice(3)).toEqual([true, true]);
  });
});

describe('guards with one journal', () => {
  it('share their budgets', async () => {
    const journal = createMemoryJournal();
    const options = { journal, policy: { maxUsdPerDay: '0.02', repeatAfterSeconds: 0 } };
    const [left, right] = [await setUp({ options }), await setUp({ options })];
    expect(await refuse(left.pay(`${left.seller.url}/v2/weather`))).toBe('status 200');
    expect(await refuse(right.pay(`${right.seller.url}/v2/weather`))).toBe('status 200');
    expect(await refuse(left.pay(`${left.seller.url}/v2/weather`))).toBe('day-budget');
    expect(await right.guard.spending()).toMatchObject({
      hosts: [{ name: '127.0.0.1', payments: 2, delivered: 2, usd: '0.02' }],
      totalUsd: '0.02',
    });
  });

  it('refuse all payments if the journal cannot be written', async () => {
    const journal = { ...createMemoryJournal(), append: () => Promise.reject(new Error('disk full')) };
    const { pay, seller } = await setUp({ options: { journal } });
    await expect(pay(`${seller.url}/v2/weather`)).rejects.toThrow('disk full');
    expect(seller.payments).toEqual([]);
  });
});

describe('authorize and record', () => {
  const requirements = createRequirements();

  it('return the payment to send, and the earlier payment until its response is recorded', async () => {
    const { guard, client, seller } = await setUp();
    const url = `${seller.url}/v2/weather`;
    const resource = { url, description: '', mimeType: '' };
    const accepts = [requirements] as never;
    const sign = async () => encode(await client.createPaymentPayload({ x402Version: 2, resource, accepts }));
    const [first, second] = [await sign(), await sign()];
    const request = { url, method: 'GET' };
    const allowed = await guard.authorize({ ...request, payment: first });
    expect(allowed).toMatchObject({ decision: { action: 'pay' }, payment: first });
    const again = await guard.authorize({ ...request, payment: second });
    expect(again).toMatchObject({ id: allowed.id, payment: first });
    const id = allowed.id ?? '';
    expect(await guard.record(id, { status: 200 })).toBe(true);
    const refused = await guard.authorize({ ...request, payment: second });
    expect([refused.payment, refused.decision.reasons.map(({ code }) => code)]).toEqual([
      null,
      ['repeated-request'],
    ]);
    // The process may have been restarted between the payment and its response.
    expect([await guard.record(id, { status: null }), await guard.record('other', { status: 200 })]).toEqual([
      true,
      false,
    ]);
  });

  it('refuse text that is neither a URL nor a payment', async () => {
    const { guard } = await setUp();
    for (const request of [
      { url: 'weather', payment: 'x' },
      { url: 'https://api.example.com/', payment: 'x' },
    ])
      expect(await guard.authorize({ ...request, method: 'GET' })).toMatchObject({
        ...{ id: null, payment: null },
        decision: { reasons: [{ code: 'invalid-payment' }] },
      });
  });
});
