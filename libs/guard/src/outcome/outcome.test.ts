import { json } from 'node:stream/consumers';
import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import axios from 'axios';
import { verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import { outcomeInputSchema } from '@touchstone/contract/operations/outcome/operation';
import { setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { encode } from '../testing/seller.ts';
import { createSummary, PAY_TO, sendJson, USDC, type Answer } from '../testing/touchstone.ts';
import type { PaymentOutcome } from './outcome.ts';

closeServersAfterEach();

/** Account of the test client. */
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`);
const UNKNOWN = 404;

interface OutcomeSetup extends Setup {
  /** Endpoint that the service finds for each URL. */
  readonly found?: Answer;
}

/** Starts a service that stores the bodies of reported outcomes, and responds to them with `state.status`. */
async function setUp({ found, options, ...setup }: OutcomeSetup = {}) {
  const outcomes: PaymentOutcome[] = [];
  const reports: unknown[] = [];
  const state = { status: 200 };
  const world = await setUpClient({
    ...setup,
    options: { onOutcome: (outcome) => outcomes.push(outcome), trace: false, ...options },
  });
  world.touchstone.respond = async (url, request, response) => {
    if (url.pathname === '/v1/outcomes') {
      reports.push(await json(request));
      if (state.status === 200) sendJson(response, {});
      else response.writeHead(state.status).end();
    } else sendJson(response, await createSummary(url, found));
  };
  const pay = wrapFetchWithPayment(world.guard.wrapFetch(fetch), world.client);
  return { ...world, pay, outcomes, reports, state };
}

/** Policy that pays for each repeated request. */
const REPEATING = { repeatAfterSeconds: 0, payAgainAfterSeconds: 0, maxUndelivered: null };
const reporting = (options: Setup['options'] = {}) => ({
  options: { outcomes: account, policy: REPEATING, ...options },
});

describe('onOutcome', () => {
  it.each([
    ['wrapFetch', 'v2'],
    ['wrapFetch', 'v1'],
    ['wrapAxios', 'v2'],
  ])('receives the payment and its outcome from %s in version %s', async (client, version) => {
    const world = await setUp({ options: { policy: REPEATING } });
    const paying = new x402Client().register('eip155:8453', new ExactEvmScheme(world.signer));
    const api = wrapAxiosWithPayment(world.guard.wrapAxios(axios.create({ proxy: false })), paying);
    const url = `${world.seller.url}/${version}/weather?city=berlin`;
    const request = async () => {
      if (client === 'wrapFetch') return { text: await (await world.pay(url)).text() };
      return { text: (await api.get<string>(url)).data };
    };
    const delivered = {
      payment: { url, network: 'eip155:8453', asset: USDC, amount: '10000', payTo: PAY_TO },
      resource: `${world.seller.url}/${version}/weather`,
      authorization: {
        payer: account.address,
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      },
      isSigner: null,
      delivered: true,
      httpStatus: 200,
      observedAt: expect.stringMatching(/Z$/) as string,
    };
    expect(await request()).toEqual({ text: 'the weather' });
    expect(world.outcomes).toEqual([delivered]);

    world.seller.deliver = (response) => void response.writeHead(502).end('bad gateway');
    await request().catch(() => undefined);
    expect(world.outcomes[1]).toEqual({ ...delivered, delivered: false, httpStatus: 502 });
    world.seller.deliver = (response) => void response.destroy();
    await expect(request()).rejects.toThrow();
    expect(world.outcomes[2]).toEqual({ ...delivered, delivered: false, httpStatus: null });
    expect(world.outcomes).toHaveLength(3);
    expect(world.reports).toEqual([]);
  });

  it.each([
    [204, undefined],
    [200, '0'],
  ])('counts status %s with Content-Length %s as not delivered', async (status, length) => {
    const { pay, seller, outcomes } = await setUp();
    seller.deliver = (response) =>
      void response.writeHead(status, length === undefined ? {} : { 'content-length': length }).end();
    await pay(`${seller.url}/v2/weather`);
    expect(outcomes).toMatchObject([{ delivered: false, httpStatus: status }]);
  });

  it('does not disturb a paid request when it throws', async () => {
    const onOutcome = () => {
      throw new Error('disk full');
    };
    const { pay, seller } = await setUp({ options: { onOutcome } });
    expect((await pay(`${seller.url}/v2/weather`)).status).toBe(200);
  });
});

describe('outcomes', () => {
  it('sends a signed outcome that the service accepts, once', async () => {
    const found = {
      match: 'template',
      endpoint: { resource: 'https://a.example/{city}', templated: true },
    } as const;
    const { pay, seller, guard, touchstone, reports, outcomes } = await setUp({ found, ...reporting() });
    await pay(`${seller.url}/v2/berlin?key=secret`);
    expect([await guard.sendOutcomes(), await guard.sendOutcomes()]).toEqual([0, 0]);
    expect([reports.length, outcomes[0]?.isSigner]).toEqual([1, true]);
    const { signature, nonce, ...request } = outcomeInputSchema.parse({ body: reports[0], query: {} });
    expect(request).toEqual({
      ...{ resource: 'https://a.example/{city}', network: 'eip155:8453', payer: account.address },
      ...{ delivered: true, http_status: 200, body_sha256: null, observed_at: outcomes[0]?.observedAt },
    });
    const typedData = createOutcomeTypedData({
      ...{ ...request, origin: touchstone.url, nonce: nonce ?? null, transaction: null },
      ...{ httpStatus: 200, bodySha256: null, observedAt: request.observed_at },
    });
    const signed = { address: account.address, signature: signature as `0x${string}` };
    expect(await verifyTypedData({ ...typedData, ...signed })).toBe(true);
  });

  it('sends nothing about a response whose status the guard does not see', async () => {
    const transaction = `0x${'ab'.repeat(32)}`;
    const { seller, guard, client, reports, outcomes } = await setUp(reporting());
    const url = `${seller.url}/v2/weather`;
    const pay = wrapFetchWithPayment(fetch, guard.attachTo(client, { url, method: 'GET' }));
    for (const success of [true, false]) {
      const receipt = encode({ success, transaction, network: 'eip155:8453' });
      seller.deliver = (response) => void response.writeHead(500, { 'payment-response': receipt }).end('no');
      expect((await pay(url)).status).toBe(500);
    }
    await guard.sendOutcomes();
    expect(outcomes).toMatchObject([{ delivered: null }, { delivered: false }]);
    expect(reports).toEqual([]);
  });

  it('sends each change of the result of an endpoint, and the same result once a day', async () => {
    let now = Date.now();
    const found = {
      get generatedAt() {
        return new Date(now).toISOString();
      },
    };
    const { pay, seller, guard, reports } = await setUp({ found, ...reporting({ now: () => now }) });
    const send = async (status: number) => {
      seller.deliver = (response) => void response.writeHead(status).end('text');
      await pay(`${seller.url}/v2/weather`);
      expect(await guard.sendOutcomes()).toBe(0);
    };
    for (const status of [200, 200, 502, 404, 400, 304, 204, 500, 200]) await send(status);
    expect(reports).toMatchObject([{ http_status: 200 }, { http_status: 502 }, { http_status: 200 }]);
    now += 86_400_000;
    await send(200);
    expect(reports).toHaveLength(4);
  });

  it('reports 402 and an empty response as failures', async () => {
    const { pay, seller, guard, reports } = await setUp(reporting());
    const send = async (deliver: typeof seller.deliver) => {
      seller.deliver = deliver;
      await pay(`${seller.url}/v2/weather`);
      await guard.sendOutcomes();
    };
    await send((response) => void response.writeHead(402).end('pay again'));
    await send((response) => void response.end('the weather'));
    await send((response) => void response.writeHead(200, { 'content-length': '0' }).end());
    expect(reports).toMatchObject([
      { delivered: false, http_status: 402 },
      { delivered: true, http_status: 200 },
      { delivered: false, http_status: 200 },
    ]);
  });

  it('tells that another wallet pays than the signer, and sends nothing', async () => {
    const { pay, seller, guard, reports, outcomes } = await setUp(
      reporting({ outcomes: { address: PAY_TO, signTypedData: account.signTypedData } }),
    );
    await pay(`${seller.url}/v2/weather`);
    expect([await guard.sendOutcomes(), reports]).toEqual([0, []]);
    expect(outcomes).toMatchObject([{ isSigner: false, authorization: { payer: account.address } }]);
  });

  it('waits while the service does not know the payment, and signs each outcome once', async () => {
    let signatures = 0;
    const signTypedData: typeof account.signTypedData = (data) => {
      signatures += 1;
      return account.signTypedData(data);
    };
    const { pay, seller, guard, reports, state } = await setUp(reporting({ outcomes: { signTypedData } }));
    state.status = UNKNOWN;
    await pay(`${seller.url}/v2/weather`);
    expect(await guard.sendOutcomes()).toBe(1);
    state.status = 200;
    expect(await guard.sendOutcomes()).toBe(0);
    expect([reports.length, signatures]).toEqual([2, 1]);
  });

  it('gives up after two attempts or a refusal, and then sends the same result again', async () => {
    const { pay, seller, guard, reports, state } = await setUp(reporting());
    const attempt = async (status: number) => {
      state.status = status;
      await pay(`${seller.url}/v2/weather`);
      return [await guard.sendOutcomes(), await guard.sendOutcomes()];
    };
    expect(await attempt(UNKNOWN)).toEqual([1, 0]);
    expect(await attempt(503)).toEqual([1, 0]);
    expect(reports).toHaveLength(4);
  });

  it('sends nothing without a response, for an unknown endpoint, or after a failure of the signer', async () => {
    const failing = await setUp(reporting());
    failing.seller.deliver = (response) => void response.destroy();
    await expect(failing.pay(`${failing.seller.url}/v2/weather`)).rejects.toThrow();
    const unknown = await setUp({ found: { endpoint: null }, ...reporting() });
    await unknown.pay(`${unknown.seller.url}/v2/weather`);
    const locked = await setUp(
      reporting({ outcomes: { signTypedData: () => Promise.reject(new Error('locked')) } }),
    );
    await locked.pay(`${locked.seller.url}/v2/weather`);
    for (const { guard, reports, outcomes } of [failing, unknown, locked]) {
      expect([await guard.sendOutcomes(), reports, outcomes.length]).toEqual([0, [], 1]);
    }
  });
});
