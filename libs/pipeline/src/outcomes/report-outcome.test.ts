import { numberToHex, pad, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainUnreadableError } from '@touchstone/chain';
import { BLOCK_SECONDS, createFakeChain, GENESIS_SECONDS, serveRpc } from '@touchstone/chain/testing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import { outcomeInputSchema, type OutcomeRequest } from '@touchstone/contract/operations/outcome/operation';
import { consumeRateLimit } from '@touchstone/store';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createChainSources } from '../chain-source.ts';
import { BASE, listAndProbe } from '../testing/reports.ts';
import { challenge, useWorld } from '../testing/world.ts';
import type { OutcomeContext } from './outcome-context.ts';
import { reportOutcome } from './report-outcome.ts';

const NETWORK = 'eip155:8453';
// Each test begins at a block of the fake chain, and sees no outcomes of other tests.
const world = useWorld({ toStart: (test) => GENESIS_SECONDS * 1_000 + test * 120 * DAY_MS });
const createAccount = (key: number) => privateKeyToAccount(pad(numberToHex(key), { size: 32 }));
const seller = createAccount(1).address.toLowerCase() as Hex;
const contract: Hex = `0x${'c0'.repeat(20)}`;

let accounts = 1;
/** Payer; each test has its own, because payers are limited. */
let account = createAccount(2);
let resource = '';
let chain = createFakeChain({ head: 0 });
let context: OutcomeContext;
let nodeName = 'geth/1';
let calls: readonly { readonly method: string }[] = [];

const toBlock = (at: number) => Math.floor((at / 1_000 - GENESIS_SECONDS) / BLOCK_SECONDS);

beforeEach(async () => {
  account = createAccount((accounts += 1));
  world.handlers.set('/paid', (response, url) => {
    challenge(response, url, { payTo: seller });
  });
  resource = world.toUrl('/paid');
  await listAndProbe(world, resource);
  chain = createFakeChain({ head: toBlock(world.time) });
  const rpc = await serveRpc({
    respond: (method, [call, ...rest]) => {
      if (method === 'web3_clientVersion') return nodeName;
      const isContract = method === 'eth_call' && (call as { to: Hex }).to === contract;
      return isContract
        ? pad('0x1626ba7e', { dir: 'right', size: 32 })
        : chain.respond(method, [call, ...rest]);
    },
  });
  onTestFinished(async () => void (await rpc.close()));
  calls = rpc.calls;
  nodeName = 'geth/1';
  const chains = createChainSources(new Map([[NETWORK, [rpc.url]]]));
  context = { db: world.context.db, now: () => world.time, baseUrl: BASE, chains };
});

interface Paying {
  readonly ageMs?: number;
  readonly from?: Hex;
  readonly to?: Hex;
  readonly amount?: bigint;
  /** Address that sends the transaction; by default a facilitator. */
  readonly sender?: Hex;
}

/** Adds a payment to the chain and returns its transaction, which is also its nonce on the fake chain. */
function pay({ ageMs = 10 * MINUTE_MS, from, to = seller, amount = 10_000n, ...rest }: Paying = {}): Hex {
  const block = toBlock(world.time - ageMs);
  const payer = (from ?? account.address).toLowerCase() as Hex;
  chain.add({ block, from: payer, to, amount, signed: true, ...rest });
  const logs = chain.respond('eth_getLogs', [
    { topics: [], fromBlock: numberToHex(block), toBlock: numberToHex(block) },
  ]) as { transactionHash: Hex }[];
  return logs.at(-1)?.transactionHash ?? '0x';
}

type Change = Partial<OutcomeRequest> & { readonly origin?: string; readonly signer?: typeof account };

/** Signs an outcome. `signed` changes only the signed typed data. */
async function sign(request: Change, signed: Change = {}): Promise<OutcomeRequest> {
  const body = {
    ...{ resource, network: NETWORK, payer: account.address, delivered: false, http_status: 502 },
    ...{ body_sha256: null, observed_at: new Date(world.time - 9 * MINUTE_MS).toISOString() },
    ...request,
  };
  const { signer = account, origin = BASE, ...values } = { ...body, ...signed };
  const { nonce = null, transaction = null, http_status: httpStatus, body_sha256: bodySha256 } = values;
  const rest = { nonce, transaction, httpStatus, bodySha256, observedAt: values.observed_at };
  const typedData = createOutcomeTypedData({ ...values, origin, ...rest });
  const parts = { body: { ...body, signature: await signer.signTypedData(typedData) }, query: {} };
  return outcomeInputSchema.parse(parts);
}

const send = (request: OutcomeRequest) => reportOutcome(context, request);

describe('an outcome', () => {
  it('counts for a payment that the chain shows, named by its nonce or its transaction', async () => {
    const [first, second] = [pay(), pay({ ageMs: 20 * MINUTE_MS })];
    const counted = {
      kind: 'result',
      body: {
        ...{ counted: true, reason: null, resource, transaction: first, amount: '10000', pay_to: seller },
        paid_at: new Date(world.time - 10 * MINUTE_MS).toISOString(),
        outcome: { delivered: false, http_status: 502, body_sha256: null },
        buyers: { delivered: 0, failed: 1 },
      },
    };
    expect(await send(await sign({ nonce: first }))).toMatchObject(counted);
    expect(await send(await sign({ transaction: second }))).toMatchObject({ body: { transaction: second } });
  });

  it('is corrected by a later observation without another reading of the chain, and not replayed', async () => {
    const nonce = pay();
    const request = await sign({ nonce });
    await send(request);
    const count = calls.length;
    const observed = new Date(world.time).toISOString();
    const late = await sign({ transaction: nonce, delivered: true, http_status: 200, observed_at: observed });
    const delivered = { outcome: { delivered: true, http_status: 200 }, buyers: { delivered: 1, failed: 0 } };
    expect(await send(late)).toMatchObject({ body: { counted: true, ...delivered } });
    expect(await send(request)).toMatchObject({
      body: { counted: false, reason: 'newer-outcome', ...delivered },
    });
    expect(calls).toHaveLength(count);
  });

  it.each<[string, Change]>([
    ['another service', { origin: 'https://elsewhere.example' }],
    ['another endpoint', { resource: 'https://other.example.com/' }],
    ['another network', { network: 'eip155:137' }],
    ['another payment', { nonce: pad('0x9', { size: 32 }) }],
    ['another result', { delivered: true, http_status: 200 }],
    ['another status', { http_status: 402 }],
    ['another body', { body_sha256: 'ab'.repeat(32) }],
    ['another time', { observed_at: '2026-01-01T00:00:00.000Z' }],
    ['another key', { signer: createAccount(999) }],
  ])('is refused with the signature of %s before the chain is read', async (_, signed) => {
    const refused = await send(await sign({ nonce: pay() }, signed));
    expect(refused).toMatchObject({ code: 'invalid-request', errors: [{ path: 'signature' }] });
    // The only call asks the payer as a contract wallet.
    expect(calls.map(({ method }) => method)).toEqual(['eth_call']);
  });

  it('is accepted from a contract wallet that accepts the signature', async () => {
    const nonce = pay({ from: contract });
    expect(await send(await sign({ nonce, payer: contract }))).toMatchObject({ body: { counted: true } });
  });

  it('does not count for a wallet that the endpoint does not advertise, or for less than its price', async () => {
    const elsewhere = await sign({ nonce: pay({ to: contract }) });
    expect(await send(elsewhere)).toMatchObject({
      body: { counted: false, reason: 'pay-to-not-advertised', buyers: { delivered: 0, failed: 0 } },
    });
    const cheap = await sign({ nonce: pay({ amount: 9_999n }) });
    expect(await send(cheap)).toMatchObject({ body: { counted: false, reason: 'amount-not-advertised' } });
  });

  it('does not count if the payer sent the transaction itself', async () => {
    const nonce = pay({ sender: account.address.toLowerCase() as Hex });
    expect(await send(await sign({ nonce }))).toMatchObject({
      body: { counted: false, reason: 'not-settled-by-seller', buyers: { delivered: 0, failed: 0 } },
    });
  });
});

describe('a payment', () => {
  const expectUnknown = async (request: Change, detail: string) => {
    expect(await send(await sign(request))).toMatchObject({
      code: 'unknown-payment',
      detail: expect.stringContaining(detail) as string,
    });
  };

  it('is unknown if the nonce is unused, was used at another time, or is too new', async () => {
    await expectUnknown({ nonce: pad('0x9', { size: 32 }) }, 'never settled');
    await expectUnknown({ nonce: pay({ ageMs: 2 * HOUR_MS }) }, 'within 60 minutes');
    const nonce = pay({ ageMs: 20_000 });
    await expectUnknown({ nonce }, 'confirmations');
    // A local chain makes no block until the next transaction.
    nodeName = 'anvil/1';
    expect(await send(await sign({ nonce }))).toMatchObject({ kind: 'result' });
  });

  it('is unknown if another wallet paid, or the transaction has no payment', async () => {
    await expectUnknown({ transaction: pay({ from: contract }) }, 'contains no USDC');
    await expectUnknown({ transaction: pad('0x9', { size: 32 }) }, 'contains no USDC');
  });

  it('is at most 30 days old', async () => {
    const observed = { observed_at: new Date(world.time - 30 * DAY_MS).toISOString() };
    const at = (ageMs: number) => sign({ transaction: pay({ ageMs }), ...observed });
    expect(await send(await at(30 * DAY_MS + MINUTE_MS))).toMatchObject({
      errors: [{ path: 'transaction' }],
    });
    const outcome = await at(30 * DAY_MS);
    expect(await send(outcome)).toMatchObject({ kind: 'result' });
    world.time += MINUTE_MS + 1;
    expect(await send(outcome)).toMatchObject({ errors: [{ path: 'observed_at' }] });
    const future = new Date(world.time + MINUTE_MS + 1).toISOString();
    expect(await send({ ...outcome, observed_at: future })).toMatchObject({
      errors: [{ path: 'observed_at' }],
    });
  });

  it('is searched at most 100 times a day for each payer', async () => {
    const request = await sign({ transaction: pad('0x9', { size: 32 }) });
    const limit = { key: `outcome ${account.address.toLowerCase()}`, limit: 100, windowSeconds: 86_400 };
    await consumeRateLimit(context.db, { ...limit, cost: 99, now: world.time });
    expect(await send(request)).toMatchObject({ code: 'unknown-payment' });
    const count = calls.length;
    expect(await send(request)).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 86_400 });
    expect(calls).toHaveLength(count);
  });

  it('cannot be checked on a network that this service does not read, or whose provider fails', async () => {
    const unread = await sign({ nonce: pay(), network: 'eip155:137' });
    expect(await send(unread)).toMatchObject({
      code: 'chain-unavailable',
      detail: expect.stringContaining('It reads eip155:8453') as string,
    });
    const use = () => Promise.reject(new ChainUnreadableError(NETWORK, ['its provider failed']));
    const failing = { ...context, chains: [{ providers: { network: NETWORK, use } }] };
    expect(await reportOutcome(failing, await sign({ nonce: pay() }))).toMatchObject({
      code: 'chain-unavailable',
      detail: expect.stringContaining('in a minute') as string,
    });
  });
});

it('refuses a URL that is not in the catalog', async () => {
  const request = await sign({ nonce: pay(), resource: world.toUrl('/unknown') });
  expect(await send(request)).toMatchObject({ code: 'unknown-resource' });
  expect(calls).toEqual([]);
});
