import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { wrapFetchWithPayment } from '@x402/fetch';
import { decodeFunctionData, parseAbi, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '@touchstone/common';
import {
  MAX_SEARCH_DAYS,
  paymentStatusInputSchema,
} from '@touchstone/contract/operations/payment-status/operation';
import { PAYMENT_STATUS_EXAMPLE } from '@touchstone/contract/operations/payment-status/response';
import { signDocument } from '@touchstone/trust';
import { createMemoryJournal } from '../ledger/memory-journal.ts';
import { JournalLedger, type LedgerPayment } from '../ledger/ledger.ts';
import { refuse, setUp as setUpClient } from '../testing/guarded-client.ts';
import { closeServersAfterEach, listen } from '../testing/listen.ts';
import { createPayment } from '../testing/payments.ts';
import { createSummary, KEYS, OTHER_KEYS, sendJson } from '../testing/touchstone.ts';
import { createRpcTrace } from './rpc-trace.ts';
import { createServiceTrace } from './service-trace.ts';

closeServersAfterEach();

const NONCE = `0x${'34'.repeat(32)}`;
/** Time of the first payment: its authorization ends 5 minutes later. */
const START_SECONDS = Date.parse('2026-06-01T12:00:00.000Z') / 1_000;
const END_SECONDS = START_SECONDS + 300;
const TRANSACTION = `0x${'ab'.repeat(32)}`;

async function createLedgerPayment(change: Parameters<typeof createPayment>[2] = {}): Promise<LedgerPayment> {
  const journal = createMemoryJournal();
  await journal.append([createPayment('1', 0, change)]);
  const payment = (await new JournalLedger(journal).refresh(START_SECONDS * 1_000)).get('1');
  if (payment === null) throw new Error('The payment is missing.');
  return payment;
}

interface StatusChange {
  readonly generatedAt?: string;
  readonly requested?: object;
  readonly [member: string]: unknown;
}

/** Creates the signed state of a payment, as the service creates it, and checks that the request is valid. */
function createStatus(url: URL, change: StatusChange, keys = KEYS): Promise<object> {
  const query = Object.fromEntries(url.searchParams);
  const { network, payer, nonce } = paymentStatusInputSchema.parse({ query });
  const { generatedAt = new Date().toISOString() } = change;
  const asked = {
    ...{ network, payer: payer?.toLowerCase(), nonce: nonce?.toLowerCase() },
    asset: query['asset']?.toLowerCase(),
    validBefore: new Date(Number(query['valid_before']) * 1_000).toISOString(),
  };
  const document = {
    ...{ ...PAYMENT_STATUS_EXAMPLE, generatedAt, blockTime: generatedAt, signature: null, ...change },
    requested: { ...PAYMENT_STATUS_EXAMPLE.requested, ...asked, ...change.requested },
  };
  return signDocument(document as never, keys.signing);
}

describe('a guard that asks the service', () => {
  async function setUp(change: StatusChange) {
    const clock = { offset: 0 };
    const journal = createMemoryJournal();
    const now = () => Date.now() + clock.offset;
    const world = await setUpClient({ options: { trace: 'service', journal, now, cacheSeconds: 86_400 } });
    const asked: URL[] = [];
    world.touchstone.respond = async (url, _request, response) => {
      const isStatus = url.pathname === '/v1/payment-status';
      if (isStatus) asked.push(url);
      const generatedAt = new Date(now()).toISOString();
      sendJson(
        response,
        isStatus ? await createStatus(url, { ...change, generatedAt }) : await createSummary(url),
      );
    };
    const pay = wrapFetchWithPayment(world.guard.wrapFetch(fetch), world.client);
    const buy = () => pay(`${world.seller.url}/v2/weather`);
    const lose = (response: ServerResponse) => void response.destroy();
    return { ...world, asked, clock, journal, buy, lose };
  }

  it('learns of a settlement in the background, and sends the payment once more, and then none', async () => {
    const { buy, lose, seller, guard, journal } = await setUp({});
    seller.deliver = lose;
    await expect(buy()).rejects.toThrow();
    await guard.sendOutcomes();
    expect((await journal.read(0)).entries.at(-1)).toMatchObject({
      ...{ kind: 'status', state: 'settled', transaction: TRANSACTION },
    });
    await expect(buy()).rejects.toThrow();
    await guard.sendOutcomes();
    expect(await refuse(buy())).toBe('already-paid');
    expect(new Set(seller.payments).size).toBe(1);
    expect(seller.payments).toHaveLength(2);
  });

  it('pays anew only when the chain shows that the earlier payment expired', async () => {
    const expired = { state: 'expired', payments: [], safeToPayAgain: true };
    const { buy, lose, seller, guard, clock, asked } = await setUp(expired);
    const { deliver } = seller;
    seller.deliver = lose;
    await expect(buy()).rejects.toThrow();
    seller.deliver = deliver;
    // The stock client signs a lifetime of 60 seconds.
    clock.offset = 61_000;
    expect(await refuse(buy())).toBe('status 200');
    expect(new Set(seller.payments).size).toBe(2);
    expect(asked.at(-1)?.searchParams.get('valid_before')).toMatch(/^[0-9]{10}$/);
    expect((await guard.spending()).totalUsd).toBe('0.01');
  });

  it('refuses while the state is not known, and delivers without waiting for the service', async () => {
    const { buy, touchstone, seller, clock } = await setUp({ state: 'unknown', payments: [] });
    const { respond } = touchstone;
    // The service never responds to a request for the state.
    touchstone.respond = async (url, request, response) =>
      url.pathname === '/v1/payment-status' ? undefined : respond(url, request, response);
    seller.deliver = (response) => void response.writeHead(500).end('no');
    expect((await buy()).status).toBe(500);
    touchstone.respond = respond;
    clock.offset = 61_000;
    expect(await refuse(buy())).toBe('payment-unclear');
  });
});

describe('createServiceTrace', () => {
  it.each<[string, StatusChange, object | null]>([
    ['settled', {}, { state: 'settled', transaction: TRANSACTION }],
    ['open', { state: 'open', payments: [] }, { state: 'open', transaction: null }],
    [
      'expired',
      { state: 'expired', payments: [], safeToPayAgain: true },
      { state: 'expired', transaction: null },
    ],
    [
      'expired without the confirmation that paying again is safe',
      { state: 'expired', payments: [] },
      { state: 'unknown', transaction: null },
    ],
    [
      'expired with a payment',
      { state: 'expired', safeToPayAgain: true },
      { state: 'unknown', transaction: TRANSACTION },
    ],
    ['a state that is not known', { state: 'lost' }, null],
    [
      'expired by a block before the end of the authorization',
      {
        ...{ state: 'expired', payments: [], safeToPayAgain: true },
        blockTime: new Date((END_SECONDS - 1) * 1_000).toISOString(),
      },
      { state: 'unknown', transaction: null },
    ],
    ['another payer', { requested: { payer: '0x1' } }, null],
    ['another token', { requested: { asset: `0x${'56'.repeat(20)}` } }, null],
    ['another end', { requested: { validBefore: '1970-01-01T00:00:01.000Z' } }, null],
    ['another document', { schemaType: 'endpoint-summary' }, null],
  ])('reads %s', async (_name, change, expected) => {
    expect(await traceBy((url) => createStatus(url, change))).toEqual(expected);
  });

  it('believes no other key, and no expiry before the end of the authorization', async () => {
    expect(await traceBy((url) => createStatus(url, {}, OTHER_KEYS))).toBeNull();
    const validBefore = new Date(Date.now() + 60_000).toISOString();
    const expired = { state: 'expired', payments: [], safeToPayAgain: true };
    expect(await traceBy((url) => createStatus(url, expired), { validBefore })).toEqual({
      ...{ state: 'unknown', transaction: null },
    });
  });

  it('searches for an old payment only as far back as the service does', async () => {
    let since = '';
    const traced = await traceBy((url) => {
      since = url.searchParams.get('since') ?? '';
      return createStatus(url, { state: 'expired', payments: [], safeToPayAgain: true });
    });
    expect(traced).toMatchObject({ state: 'expired' });
    expect(Date.now() - Date.parse(since)).toBeLessThan(MAX_SEARCH_DAYS * DAY_MS);
  });

  it('asks nothing about a payment without a nonce or on another network', async () => {
    const send = () => Promise.reject(new Error('No request is expected.'));
    expect(await traceBy(send, { nonce: null })).toBeNull();
    expect(await traceBy(send, { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })).toBeNull();
  });

  async function traceBy(
    answer: (url: URL) => Promise<object>,
    change: Parameters<typeof createPayment>[2] = {},
  ) {
    const trace = createServiceTrace({
      service: new URL('https://touchstone.example'),
      keys: KEYS.published.keys,
      fetch: async (input) => Response.json(await answer(input as URL)),
      timeoutMs: 1_000,
      now: Date.now,
    });
    return trace(await createLedgerPayment(change));
  }
});

describe('createRpcTrace', () => {
  const abi = parseAbi([
    'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
    'function nonceBitmap(address owner, uint256 wordPosition) view returns (uint256)',
  ]);
  const word = (value: bigint) => toHex(value, { size: 32 });

  interface Chain {
    readonly head?: unknown;
    /** Result of the nonce call, at the last block and at the confirmed block. */
    readonly used?: readonly [latest: unknown, confirmed: unknown];
    readonly timestamp?: unknown;
  }

  async function traceOn(chain: Chain, change: Parameters<typeof createPayment>[2] = {}) {
    const { head = '0x64', used = [word(0n), word(0n)], timestamp = toHex(END_SECONDS) } = chain;
    const calls: { to: string; data: `0x${string}` }[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      // The test client sends these members.
      const { method, params } = (await json(request)) as { method: string; params: [never, string] };
      const results: Record<string, () => unknown> = {
        eth_blockNumber: () => head,
        eth_getBlockByNumber: () => ({ number: params[0], timestamp }),
        eth_call: () => {
          calls.push(params[0]);
          return used[params[1] === 'latest' ? 0 : 1];
        },
      };
      sendJson(response, { jsonrpc: '2.0', id: 1, result: results[method]?.() });
    };
    const { url } = await listen(createServer((request, response) => void answer(request, response)));
    const urls = new Map([['eip155:8453', new URL(url)]]);
    const trace = createRpcTrace({ urls, fetch, timeoutMs: 5_000 });
    return { traced: await trace(await createLedgerPayment(change)), calls };
  }

  it.each<[string, Chain, string | undefined]>([
    ['used', { used: [word(1n), word(0n)] }, 'settled'],
    ['unused after the end', {}, 'expired'],
    ['unused before the end', { timestamp: toHex(END_SECONDS - 1) }, 'open'],
    ['used in the meantime', { used: [word(0n), word(1n)] }, undefined],
    ['unreadable', { used: ['0x', '0x'] }, undefined],
    ['without a block', { timestamp: 'soon' }, undefined],
    ['of a chain that is too short', { head: '0x1' }, undefined],
  ])('reads an authorization: %s', async (_name, chain, expected) => {
    const { traced, calls } = await traceOn(chain);
    expect(traced?.state).toBe(expected);
    if (expected !== 'expired') return;
    expect(calls[0]?.to).toBe('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913');
    expect(decodeFunctionData({ abi, data: calls[0]?.data ?? '0x' })).toMatchObject({
      ...{ functionName: 'authorizationState', args: [`0x${'12'.repeat(20)}`, NONCE] },
    });
  });

  it('reads an allowance of Permit2 from its bit', async () => {
    const nonce = String((7n << 8n) + 3n);
    expect((await traceOn({ used: [word(8n), word(8n)] }, { nonce })).traced?.state).toBe('settled');
    const { traced, calls } = await traceOn({ used: [word(16n), word(16n)] }, { nonce });
    expect(traced?.state).toBe('expired');
    expect(calls[0]?.to).toBe('0x000000000022d473030f116ddee9f6b43ac78ba3');
    expect(decodeFunctionData({ abi, data: calls[0]?.data ?? '0x' }).args[1]).toBe(7n);
  });

  it('asks nothing on a network without a provider', async () => {
    expect(await traceOn({}, { network: 'eip155:137' })).toEqual({ traced: null, calls: [] });
  });
});
