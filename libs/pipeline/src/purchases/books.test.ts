import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPurchaseWorld, type Outside, type PurchaseWorld } from '../testing/purchase-world.ts';
import { useWorld } from '../testing/world.ts';
import { buyPurchases } from './buy-purchases.ts';

const world = useWorld({ isShared: true });
let shop: PurchaseWorld;
let endpointId = '';

beforeAll(async () => {
  shop = await openPurchaseWorld(world);
  const resource = 'https://fxline.sandbox.test/v1/rates/latest';
  endpointId = await shop.storeEndpoint(resource, { base: 'USD' });
});
afterAll(() => shop.close());

/** Makes the endpoint due again, as after seven days. */
const makeDue = () =>
  world.context.db.from('purchase_schedules').delete().eq('endpoint_id', endpointId).throwOnError();

/** Compares the wallet on the chain, the transfers on the chain and the ledger. */
async function expectBalancedBooks(): Promise<void> {
  const { spent, transfers, ledger } = await shop.readBooks();
  expect(ledger).toEqual({ sum: spent, transactions: transfers, undecided: 0 });
}

const toRpcName = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).pathname.split('/').at(-1) ?? '';

/** Place at which a process ends: before or after it calls an SQL function or sends a request. */
type Place = `${'before' | 'after'} ${string}`;

/** Returns the outside of a process that is killed at a place. A killed process reaches nothing any more. */
function createKilledOutside(place: Place): Outside & { readonly wasKilled: () => boolean } {
  let isKilled = false;
  const run = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    isKilled ||= place === `before ${name}`;
    if (isKilled) throw new Error('killed');
    const result = await work();
    isKilled ||= place === `after ${name}`;
    if (isKilled) throw new Error('killed');
    return result;
  };
  return {
    fetch: (...request) => run(toRpcName(request[0]), () => fetch(...request)),
    send: (request) => {
      const isPaid = Object.keys(request.headers).length > 0;
      return run(isPaid ? 'the paid request' : 'the challenge', () => shop.send(request));
    },
    wasKilled: () => isKilled,
  };
}

describe('a process that is killed', () => {
  it.each<[Place, readonly (readonly [outcome: string, charged: boolean])[]]>([
    // Nothing was reserved, so the next run buys.
    ['before the challenge', [['delivered', true]]],
    ['before reserve_purchase', [['delivered', true]]],
    // The payment was never sent.
    ['after reserve_purchase', [['unclear', false]]],
    ['before record_signed_purchase', [['unclear', false]]],
    ['after record_signed_purchase', [['unclear', false]]],
    ['before the paid request', [['unclear', false]]],
    // The payment was sent, and its answer is lost.
    ['after the paid request', [['unclear', true]]],
    ['before record_purchase_answer', [['unclear', true]]],
    // The answer is stored.
    ['after record_purchase_answer', [['delivered', true]]],
    ['before decide_purchase', [['delivered', true]]],
    ['after decide_purchase', [['delivered', true]]],
    ['before publish_purchases', [['delivered', true]]],
    ['after publish_purchases', [['delivered', true]]],
  ])('%s loses no payment and repeats none', async (place, expected) => {
    await makeDue();
    const before = (await shop.readLedger()).length;
    const outside = createKilledOutside(place);
    await buyPurchases(shop.createContext(outside)).catch(() => undefined);
    expect(outside.wasKilled()).toBe(true);
    shop.advance(HOUR_MS);
    await buyPurchases(shop.createContext());
    const rows = (await shop.readLedger()).slice(before);
    expect(rows.map(({ outcome, charged }) => [outcome, charged])).toEqual(expected);
    expect(rows.filter(({ published_at }) => published_at === null)).toEqual([]);
    await expectBalancedBooks();
  });
});

it('stores the evidence of a purchase, and of no body', async () => {
  shop.advance(DAY_MS);
  await makeDue();
  const summary = await buyPurchases(shop.createContext());
  expect(summary).toEqual({ bought: 1, postponed: 0, unsafe: 0, decided: 0, published: 1, rechecked: 0 });
  const row = (await shop.readLedger()).at(-1);
  expect(row).toMatchObject({
    endpoint_id: endpointId,
    requested_url: 'https://fxline.sandbox.test/v1/rates/latest?base=USD',
    ...{ method: 'GET', request_sha256: null, network: 'eip155:8453', amount: 1000, amount_usd: '0.001000' },
    ...{ http_status: 200, failure: null, schema_findings: [], content_type: 'application/json' },
  });
  expect(row?.body_sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(row?.block_number).toBeGreaterThan(0);
});

it('buys nothing with an empty wallet, and tells the operator', async () => {
  await makeDue();
  const messages: string[] = [];
  const context = shop.createContext();
  const { purchases } = context;
  if (purchases === undefined) throw new Error('the context has a wallet');
  const budget = { ...purchases.budget, purchase: '3' };
  const logError = (message: string) => messages.push(message);
  const { bought } = await buyPurchases({ ...context, logError, purchases: { ...purchases, budget } });
  expect([bought, messages]).toEqual([
    0,
    [expect.stringMatching(/^Nothing is bought on eip155:8453: .* too little USDC/)],
  ]);
});
