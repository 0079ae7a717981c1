import { pad, type Hex } from 'viem';
import { ChainUnreadableError } from '@touchstone/chain';
import {
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  serveRpc,
  toTestAddress,
  USDC,
} from '@touchstone/chain/testing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { paymentStatusInputSchema } from '@touchstone/contract/operations/payment-status/operation';
import {
  PAYMENT_STATUS_EXAMPLE,
  paymentStatusSchema,
} from '@touchstone/contract/operations/payment-status/response';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type ChainSource, createChainSources } from '../chain-source.ts';
import { BASE, listAndProbe } from '../testing/reports.ts';
import { challenge, useWorld } from '../testing/world.ts';
import { describeStatus } from './describe-status.ts';
import { readStatus } from './read-status.ts';

const NETWORK = 'eip155:8453';
const world = useWorld({ toStart: (test) => GENESIS_SECONDS * 1_000 + test * 120 * DAY_MS });
const [payer, seller] = [toTestAddress(1), toTestAddress(2)];
const unused = pad('0x7', { size: 32 });
let chain = createFakeChain({ head: 0 });
let nodeName = 'geth/1';
let urls: string[] = [];
/** Networks, if they are not those of the providers at `urls`. */
let chains: readonly ChainSource[] | null = null;
/** Calls of the provider that was served last. */
let calls: readonly { readonly method: string }[] = [];

const toBlock = (at: number) => Math.floor((at / 1_000 - GENESIS_SECONDS) / BLOCK_SECONDS);
const toSeconds = (at: number) => String(Math.floor(at / 1_000));

async function serve(respond: typeof chain.respond): Promise<string> {
  const rpc = await serveRpc({
    respond: (method, params) => (method === 'web3_clientVersion' ? nodeName : respond(method, params)),
  });
  onTestFinished(async () => void (await rpc.close()));
  calls = rpc.calls;
  return rpc.url;
}

beforeEach(async () => {
  chain = createFakeChain({ head: toBlock(world.time) });
  nodeName = 'geth/1';
  chains = null;
  urls = [await serve((...call) => chain.respond(...call))];
});

/** Adds a payment to the chain and returns its transaction, which is also its nonce on the fake chain. */
function pay(ageMs: number, amount = 10_000n): Hex {
  const block = toBlock(world.time - ageMs);
  chain.add({ block, from: payer, to: seller, amount, signed: true });
  const range = { fromBlock: `0x${block.toString(16)}`, toBlock: `0x${block.toString(16)}` };
  const logs = chain.respond('eth_getLogs', [{ topics: [], ...range }]) as { transactionHash: Hex }[];
  return logs.at(-1)?.transactionHash ?? '0x';
}

const ask = (query: Readonly<Record<string, string>>) =>
  readStatus(
    {
      ...{ db: world.context.db, now: () => world.time, baseUrl: BASE },
      chains: chains ?? createChainSources(new Map([[query['network'] ?? NETWORK, urls]])),
    },
    paymentStatusInputSchema.parse({
      query: { network: NETWORK, ...(query['nonce'] === undefined ? {} : { asset: USDC }), ...query },
    }),
  );

it('finds a payment by nonce and by transaction, with the endpoint that asked for it', async () => {
  world.handlers.set('/paid', (response, url) => {
    challenge(response, url, { payTo: seller });
  });
  const resource = world.toUrl('/paid');
  await listAndProbe(world, resource);
  chain = createFakeChain({ head: toBlock(world.time) });
  const nonce = pay(10 * MINUTE_MS);
  const result = await ask({ payer: payer.toUpperCase().replace('0X', '0x'), nonce });
  expect(result).toMatchObject({
    ...{ kind: 'result', isFinal: true },
    body: {
      ...{ state: 'settled', cause: 'confirmed', safeToPayAgain: false, openUntil: null },
      requested: { payer, nonce, transaction: null, validBefore: null },
      payments: [
        {
          ...{ transaction: nonce, payTo: seller, payer, amount: '10000', amountUsd: '0.010000' },
          endpoints: [
            {
              resource,
              endpointPage: expect.stringMatching(/^https:..touchstone.example.endpoint/) as string,
            },
          ],
        },
      ],
      reason: expect.stringMatching(/^The payment arrived: \$0\.01 to .* Do not pay again/) as string,
    },
  });
  if (result.kind === 'result') paymentStatusSchema.parse(result.body);
  const byTransaction = await ask({ transaction: nonce });
  expect(byTransaction).toMatchObject({ body: { state: 'settled', requested: { since: null } } });
});

it('has the reason of the published example', () => {
  expect(describeStatus(PAYMENT_STATUS_EXAMPLE)).toBe(PAYMENT_STATUS_EXAMPLE.reason);
});

it('is open until a confirmed block after the end of the authorization, and then safe to pay again', async () => {
  const named = { payer, nonce: unused };
  expect(await ask(named)).toMatchObject({
    isFinal: false,
    body: { state: 'open', openUntil: null, safeToPayAgain: false },
  });
  const later = world.time + 5 * MINUTE_MS;
  const open = await ask({ ...named, valid_before: toSeconds(later) });
  expect(open).toMatchObject({
    body: { state: 'open', openUntil: new Date(later).toISOString(), safeToPayAgain: false },
  });
  const over = await ask({ ...named, valid_before: toSeconds(world.time - 5 * MINUTE_MS) });
  expect(over).toMatchObject({ isFinal: true, body: { state: 'expired', safeToPayAgain: true } });
});

it('never says that it is safe if one of two providers shows the payment, or only one responds', async () => {
  const nonce = pay(10 * MINUTE_MS);
  const empty = createFakeChain({ head: toBlock(world.time) });
  const named = { payer, nonce, valid_before: toSeconds(world.time - 5 * MINUTE_MS) };
  urls = [await serve((...call) => empty.respond(...call)), ...urls];
  expect(await ask(named)).toMatchObject({ body: { state: 'settled', safeToPayAgain: false } });
  urls = [urls[0] ?? '', 'http://127.0.0.1:1/'];
  expect(await ask(named)).toMatchObject({
    isFinal: false,
    body: { state: 'unknown', cause: 'no-agreement', safeToPayAgain: false },
  });
});

it('reads few blocks for a nonce that was not used, and searches a used one from before `since`', async () => {
  await ask({ payer, nonce: unused });
  expect(calls.map(({ method }) => method)).not.toContain('eth_getLogs');
  expect(calls.length).toBeLessThan(8);
  // The clock of the payer is ten minutes ahead.
  const nonce = pay(HOUR_MS);
  const since = new Date(world.time - 50 * MINUTE_MS).toISOString();
  expect(await ask({ payer, nonce, since })).toMatchObject({ body: { state: 'settled' } });
  const late = new Date(world.time - 30 * MINUTE_MS).toISOString();
  expect(await ask({ payer, nonce, since: late })).toMatchObject({
    isFinal: true,
    body: { state: 'unknown', cause: 'used-before', safeToPayAgain: false },
  });
});

it('believes the newest block of a chain that is mined on demand', async () => {
  const nonce = pay(0);
  expect(await ask({ payer, nonce })).toMatchObject({ isFinal: false, body: { cause: 'unconfirmed' } });
  nodeName = 'anvil/1';
  expect(await ask({ payer, nonce })).toMatchObject({ isFinal: true, body: { cause: 'confirmed' } });
});

it('reads Solana by a transaction, whose letters keep their case', async () => {
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
  const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  urls = [await serve((method) => (method === 'getGenesisHash' ? genesis : null))];
  const signature = 'aB3'.repeat(29);
  expect(await ask({ network, transaction: signature })).toMatchObject({
    body: {
      ...{ state: 'unknown', cause: 'absent', safeToPayAgain: false },
      requested: { network, transaction: signature, since: null },
      reason: expect.stringMatching(/not on solana.* ask again in a minute\.$/) as string,
    },
  });
});

it.each<[Readonly<Record<string, string>>, string, string]>([
  [{ asset: toTestAddress(9) }, 'asset', 'such as USDC (0x8335'],
  [{ since: '2020-01-01T00:00:00.000Z' }, 'since', 'at most 7 days ago. Name an older payment'],
])('refuses %j without a call of a provider', async (change, path, text) => {
  const result = await ask({ payer, nonce: unused, ...change });
  expect(result).toMatchObject({ code: 'invalid-request', errors: [{ path }] });
  expect(result).toHaveProperty('detail', expect.stringContaining(text));
  expect(calls).toHaveLength(0);
});

it('names the networks that it reads, for another network', async () => {
  chains = createChainSources(new Map([[NETWORK, urls]]));
  expect(await ask({ network: 'eip155:137', transaction: unused })).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('does not read eip155:137. It reads eip155:8453.') as string,
  });
});

it('says what to do when no provider responds', async () => {
  const use = () => Promise.reject(new ChainUnreadableError(NETWORK, ['its provider failed']));
  chains = [{ providers: { network: NETWORK, use } }];
  expect(await ask({ transaction: unused })).toMatchObject({
    code: 'chain-unavailable',
    detail: expect.stringContaining('Do not pay again yet') as string,
  });
});
