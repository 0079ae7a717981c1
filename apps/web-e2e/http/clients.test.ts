import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  PRODUCTS,
  toFolderName,
  type Buyer,
  type Client,
  type Load,
  type Order,
  type Product,
} from '../support/clients/client.ts';
import { CLIENTS } from '../support/clients/clients.ts';
import { readBuyerAddress } from '../support/payment/buyer.ts';
import { countTransfersFrom, createWallet, readTransfers } from '../support/payment/chain.ts';
import { waitUntilSearchable } from '../support/searchable.ts';
import { readPaymentRows } from '../support/service-files.ts';
import { getSiteUrl } from '../support/site-request.ts';
import { CREATE_PATH, createdSchema, WATCHED_ENDPOINT } from '../support/watches.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
const QUERY = 'exchange rates of currencies';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** Funds of the wallet of each client in atomic units of USDC. */
const FUNDS = 1_000_000n;

/**
 * Folder with one folder for each client, in which `npm run clients` installed the client. Without this variable, the
 * tests use the clients that are installed in this repository.
 */
const { CLIENTS_DIR } = process.env;

const receiptSchema = z.looseObject({
  success: z.literal(true),
  transaction: z.string().regex(/^0x[0-9a-f]{64}$/),
});

const EXPECTED: Readonly<Record<Product, Readonly<Record<string, unknown>>>> = {
  report: { schemaType: 'x402-trust', resource: HEALTHY },
  search: { query: QUERY, matches: expect.any(Array) as unknown },
  watch: { endpoint: WATCHED_ENDPOINT, secret: expect.stringMatching(/^wsk_/) as unknown },
  renewal: { expires_at: expect.any(String) as unknown },
};

/** Creates the order of a product. Only the renewal needs the id of a watch. */
const createOrder = (product: Product, watchId: string): Order =>
  ({
    report: {
      ...{ path: '/v1/x402-trust', tool: 'x402_trust_score', command: ['buy', 'trust', HEALTHY] },
      ...{ body: { resource: HEALTHY }, input: { resource: HEALTHY }, price: 5_000n },
    },
    search: {
      ...{ path: '/v1/semantic-search', tool: 'x402_semantic_search', command: ['search', QUERY] },
      ...{ body: { query: QUERY }, input: { query: QUERY }, price: 1_000n },
    },
    watch: {
      ...{ path: CREATE_PATH, tool: 'x402_watch_create', command: ['watch', 'create', WATCHED_ENDPOINT] },
      ...{ body: { endpoint: WATCHED_ENDPOINT }, input: { endpoint: WATCHED_ENDPOINT }, price: 200_000n },
    },
    renewal: {
      ...{ path: `/v1/watch/${watchId}/renew`, tool: 'x402_watch_renew', price: 200_000n },
      ...{ body: {}, input: { watch_id: watchId }, command: ['watch', 'renew', watchId] },
    },
  })[product];

/** Returns the function that imports the modules of a client. */
async function createLoad(name: string): Promise<Load> {
  if (CLIENTS_DIR === undefined) return (module) => import(module);
  const loader = pathToFileURL(join(CLIENTS_DIR, toFolderName(name), 'node_modules/load.mjs'));
  const { load } = (await import(loader.href)) as { readonly load: Load };
  return load;
}

beforeAll(waitUntilSearchable);

/** Clients of this run. */
const TESTED = CLIENTS.filter(({ checked }) => checked === 'each test run' || CLIENTS_DIR !== undefined);

describe.each(TESTED)('$name', ({ name, products, hasDemoWallet = false, connect }) => {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const payer = hasDemoWallet ? readBuyerAddress() : account.address.toLowerCase();
  let buyer: Buyer | null = null;
  let watchId = '';
  let purchases = 0;

  beforeAll(async () => {
    await createWallet(FUNDS, { 'eip155:8453': USDC }, key);
    buyer = await connect({ load: await createLoad(name), url: getSiteUrl(), account, key });
  });
  afterAll(() => buyer?.close?.());

  it.each(products)('buys a %s', async (product) => {
    const order = createOrder(product, watchId);
    const bought = await buyer?.buy(order);
    expect(bought?.body).toMatchObject(EXPECTED[product]);
    if (product === 'watch') watchId = createdSchema.parse(bought?.body).watch_id;
    const { transaction } = receiptSchema.parse(bought?.receipt);
    const rows = await readPaymentRows(transaction);
    const route = `POST ${product === 'renewal' ? '/v1/watch/{id}/renew' : order.path}`;
    expect(rows).toMatchObject([{ route, payer, state: 'settled', amount: Number(order.price) }]);
    const transfer = { asset: USDC, from: payer, to: rows[0]?.pay_to, amount: order.price };
    expect(await readTransfers(transaction)).toEqual([transfer]);
    purchases += 1;
    // Other tests pay with the demo wallet at the same time.
    if (!hasDemoWallet) expect(await countTransfersFrom(payer)).toBe(purchases);
  });
});

/** Reads a file of the repository. */
const readText = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Returns the row of a client in the matrix. */
function createRow({ name, packages, x402Version, protocol, products, checked }: Client): readonly string[] {
  const [version = 'this version'] = Object.values(packages);
  const bought = PRODUCTS.map((product) => (products.includes(product) ? 'yes' : 'no'));
  return [name, version, String(x402Version), protocol, ...bought, checked];
}

it('docs/clients.md has the client matrix with the installed versions', () => {
  const lines = readText('docs/clients.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  expect(cells[0]?.slice(4, 8)).toEqual(['Report', 'Search', 'Watch', 'Renewal']);
  expect(cells.slice(2)).toEqual(CLIENTS.map(createRow));
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readText('apps/web-e2e/package.json')));
  for (const { packages, checked } of CLIENTS)
    if (checked === 'each test run') expect(devDependencies).toMatchObject(packages);
});
