import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSharedSandbox } from '@touchstone/common/testing';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import { outcomeInputSchema } from '@touchstone/contract/operations/outcome/operation';
import { deliveryKeySchema, signPayment } from '@touchstone/delivery';
import { deliveryFactsSchema, purchaseFactSchema, score } from '@touchstone/trust';
import { STORIES } from '@touchstone/trust/testing/sandbox-stories';
import { toScoreInputs } from '@touchstone/trust/testing/story';
import { readChallenge } from '@touchstone/x402';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { reportOutcome } from '../outcomes/report-outcome.ts';
import { USDC } from '../testing/generated-sellers/seller.ts';
import { setBalance } from '../testing/generated-sellers/settle-payment.ts';
import { openPurchaseWorld, type PurchaseWorld } from '../testing/purchase-world.ts';
import { useWorld } from '../testing/world.ts';
import { buyPurchases } from './buy-purchases.ts';
import type { PurchaseContext } from './purchase-context.ts';

/** Sellers of the sandbox: story, URL, example query, and the expected outcome, charge and status. */
const SELLERS = [
  ['pay-again', 'peakline', '/v1/snow/depth', { region: 'Zermatt' }, 'pay-again', true, 402],
  ['paid-not-delivered', 'loamwork', '/v1/soil/profile', { lat: '52.1' }, 'paid-not-delivered', true, 502],
  ['wrong-body-empty', 'cellarium', '/v1/wines/vintages', { year: '2016' }, 'wrong-body', true, 200],
  ['wrong-body-schema', 'gambit', '/v1/chess/ratings', { player: 'ding-liren' }, 'wrong-body', true, 200],
  ['late', 'birdlist', '/v1/birds/sightings', { species: 'kingfisher' }, 'late', true, null],
  ['settles-twice', 'fuelwise', '/v1/fuel/prices', { city: 'Lyon' }, 'delivered', true, 200],
  ['testers-only', 'autoworth', '/v1/cars/values', { model: 'golf' }, 'delivered', true, 200],
  ['refused-uncharged', 'calorica', '/v1/foods/nutrition', { food: 'rice' }, 'refused-uncharged', false, 400],
  ['answers-unpaid', 'starwheel', '/v1/planets/rise', { planet: 'venus' }, 'free', false, 200],
] as const;
const NETWORK = 'eip155:8453';
const ORIGIN = 'https://touchstone.example';
const TESTERS_ONLY = 'https://autoworth.sandbox.test/v1/cars/values';
const REQUEST: Parameters<PurchaseWorld['send']>[0] = {
  ...{ url: TESTERS_ONLY, method: 'GET', headers: {}, body: '' },
  ...{ timeoutMs: 10_000, maxReplyBytes: 1_048_576 },
};
/** Maximum time for the answer of the late seller, which answers after 30 seconds. */
const SHORT_TIMEOUT_MS = 3_000;

const world = useWorld({ isShared: true });
let shop: PurchaseWorld;
/** Context of the service, whose wallet the sellers know. */
let context: PurchaseContext;

beforeAll(async () => {
  shop = await openPurchaseWorld(world);
  const { dataDir } = await openSharedSandbox();
  const key = readFileSync(join(dataDir, 'delivery-wallet.key'), 'utf8');
  context = withWallet(deliveryKeySchema.parse(key));
});
afterAll(() => shop.close());

/** Returns the context of the job with a wallet; by default with a wallet that no seller knows. */
function withWallet(account?: NonNullable<PurchaseContext['purchases']>['account']): PurchaseContext {
  const unknown = shop.createContext({
    send: (request) => {
      const isLate = request.url.startsWith('https://birdlist.') && Object.keys(request.headers).length > 0;
      return shop.send(isLate ? { ...request, timeoutMs: SHORT_TIMEOUT_MS } : request);
    },
  });
  const { purchases } = unknown;
  if (purchases === undefined) throw new Error('the context has a wallet');
  return account === undefined ? unknown : { ...unknown, purchases: { ...purchases, account } };
}

it('one purchase from each seller has the outcome of its story', async () => {
  for (const [, host, path, query] of SELLERS)
    await shop.storeEndpoint(`https://${host}.sandbox.test${path}`, query);
  expect((await buyPurchases(context)).bought).toBe(SELLERS.length);
  // The chain shows only after the end of a payment that the seller never charged.
  shop.advance(HOUR_MS);
  await buyPurchases(context);
  const rows = await shop.readLedger();
  expect(
    rows.map(({ host, outcome, charged, http_status }) => [host, outcome, charged, http_status]).toSorted(),
  ).toEqual(SELLERS.map(([, host, , , ...expected]) => [`${host}.sandbox.test`, ...expected]).toSorted());
  const twice = rows.find(({ host }) => host === 'fuelwise.sandbox.test');
  expect(twice?.transaction).toMatch(/^0x/);
});

/** Returns the recommendation and the flags of the story of the seller for testers, with its delivery facts. */
async function assess(id: string): Promise<readonly string[]> {
  const query = { p_now: new Date(shop.now()).toISOString(), p_endpoint_ids: [id] };
  const { data } = await world.context.db.rpc('delivery_facts', query).throwOnError();
  const [facts] = data.map((row) => storedFactsSchema.parse(row.facts));
  const story = STORIES['testers-only'];
  if (story === undefined) throw new Error('there is no story');
  const inputs = toScoreInputs(story, shop.now());
  const { recommendation, flags } = score({ ...inputs, ...(facts && { delivery: facts }) });
  return [recommendation, ...flags.map(({ slug }) => slug)];
}

const storedFactsSchema = deliveryFactsSchema.extend({
  purchases: z.array(purchaseFactSchema.extend({ at: z.string().transform((time) => Date.parse(time)) })),
});

/** Reads the challenge of the seller for testers, and its payment option. */
async function readOffer() {
  const challenged = await shop.send(REQUEST);
  const { headers, body } = challenged;
  const [offer] = readChallenge({ ...REQUEST, status: 402, headers, body }).options;
  if (typeof offer?.amount !== 'bigint') throw new Error('the seller has no offer');
  const { payTo, amount, asset } = offer;
  return {
    challenged,
    option: { network: NETWORK, asset: asset.toLowerCase(), payTo, amount, amountUsd: '0.01' },
  };
}

/** Pays the seller for testers as an agent that it does not know, and reports the outcome. */
async function buyAndReport(): Promise<unknown> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { chainRpcUrls } = await openSharedSandbox();
  await setBalance(chainRpcUrls[NETWORK], { wallet: account.address, token: USDC, amount: 1_000_000n });
  const { challenged, option } = await readOffer();
  const { headers, nonce } = await signPayment(challenged, { option, account, now: Date.now() });
  const { httpStatus } = await shop.send({ ...REQUEST, headers });
  const observedAt = new Date(shop.now()).toISOString();
  const payment = { resource: TESTERS_ONLY, network: NETWORK, payer: account.address, nonce };
  const delivered = httpStatus === 200;
  const result = { delivered, httpStatus, bodySha256: null, observedAt };
  const typedData = createOutcomeTypedData({ ...payment, ...result, origin: ORIGIN, transaction: null });
  const signature = await account.signTypedData(typedData);
  const outcome = { delivered, http_status: httpStatus, body_sha256: null, observed_at: observedAt };
  const parts = { body: { ...payment, ...outcome, signature }, query: {} };
  const { db, now, chains = [] } = context;
  const reportContext = { db, now, chains, baseUrl: ORIGIN };
  const reported = await reportOutcome(reportContext, outcomeInputSchema.parse(parts));
  return reported.kind === 'result' ? reported.body.counted : reported;
}

it('three agents expose the seller that delivers to known testers only', async () => {
  const id = await shop.storeEndpoint(TESTERS_ONLY, { model: 'golf' });
  const { option } = await readOffer();
  const terms = { options: [{ ...option, amount: String(option.amount) }] };
  await world.context.db.from('endpoint_states').insert({ endpoint_id: id, terms }).throwOnError();
  expect([await buyAndReport(), await buyAndReport()]).toEqual([true, true]);
  expect(await assess(id)).toEqual(['proceed']);
  expect(await buyAndReport()).toBe(true);
  expect(await assess(id)).toEqual(['caution', 'buyers-report-failures']);
});

it('two days of failures raise the flag a day after the second one, and one delivery lifts it', async () => {
  const { purchases: _, ...withoutWallet } = context;
  await world.context.db.from('endpoints').delete().neq('resource', TESTERS_ONLY).throwOnError();
  // The guard needs a probe of the last hours.
  const list = () => shop.storeEndpoint(TESTERS_ONLY, { model: 'golf' });
  const id = await list();
  const run = async (afterMs: number, runContext: PurchaseContext) => {
    shop.advance(afterMs);
    await list();
    const { bought } = await buyPurchases(runContext);
    return [bought, ...(await assess(id))];
  };
  expect(await run(31 * DAY_MS, withWallet())).toEqual([1, 'proceed']);
  // The first failure is public now. One failure raises nothing.
  expect(await run(25 * HOUR_MS, withWallet())).toEqual([1, 'proceed']);
  expect(await run(23 * HOUR_MS, withoutWallet)).toEqual([0, 'proceed']);
  expect(await run(2 * HOUR_MS, withoutWallet)).toEqual([0, 'avoid', 'paid-not-delivered']);
  expect(await run(0, context)).toEqual([1, 'caution', 'delivery-mixed']);
});
