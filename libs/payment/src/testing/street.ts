import { problemSchema } from '@touchstone/contract';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import { createFacilitator, createSeller, type SellerOptions } from '../index.ts';
import type { Reply } from './buyer.ts';
import { openProxy } from './facilitator-proxy.ts';
import { openMarket } from './market.ts';
import { serveShop, type Work } from './serve-shop.ts';

/** The wallet that is paid. */
export const SHOP = privateKeyToAddress(generatePrivateKey());
export const BODY = { resource: 'https://api.example.com/v1/weather' };
/** Shorter than a facilitator dawdles, and longer than it takes on a busy machine. */
const TIMEOUTS = { verifyMs: 2_000, settleMs: 2_000 };

type ShopOptions = Partial<SellerOptions>;

/** Opens a street of shops: a market, a facilitator that fails when it is told to, and somebody with money. */
export const openStreet = async () => {
  const market = await openMarket();
  const proxy = await openProxy(market.facilitatorUrl);
  const shops: { close: () => Promise<unknown> }[] = [];
  const worked: { resource: string; payer: string }[] = [];
  const honest: Work = (input, purchase) => {
    worked.push({ ...input, ...purchase });
    return Promise.resolve({ body: { about: input.resource, turn: worked.length } });
  };
  /** What a test may change: the work that is done, and how far the clock of the shops is ahead, in milliseconds. */
  const ways = { work: honest, ahead: 0 };

  /** A shop as one process has it. */
  const openShop = async (options: ShopOptions = {}) => {
    const seller = createSeller({
      db: market.db,
      facilitator: createFacilitator({ url: proxy.url, timeouts: TIMEOUTS }),
      network: market.network,
      payTo: SHOP,
      baseUrl: 'https://touchstone.example',
      now: () => Date.now() + ways.ahead,
      serviceName: 'Touchstone',
      chain: market.providers,
      ...options,
    });
    const shop = await serveShop(seller, (input, purchase) => ways.work(input, purchase));
    shops.push(shop);
    return { ...shop, trust: `${shop.url}/v1/x402-trust`, history: `${shop.url}/v1/x402-history` };
  };

  const earned = async () => (await market.transfersTo(SHOP)).length;
  /** What the ledger has of a payment. */
  const rowOf = async (nonce: string) => {
    const { data } = await market.db.from('payments').select();
    return data?.find((row) => row.nonce === nonce);
  };
  /** Holds that nothing is charged by an attempt, and that its answer says so. */
  const costsNothing = async (attempt: () => Promise<Reply>): Promise<Reply> => {
    const before = await earned();
    const reply = await attempt();
    expect(await earned()).toBe(before);
    expect(reply.body['notCharged']).toBe(true);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    if (reply.status !== 402) expect(problemSchema.parse(reply.body).status).toBe(reply.status);
    return reply;
  };

  return {
    market,
    proxy,
    shop: SHOP,
    payer: await market.wallet(),
    worked,
    honest,
    ways,
    openShop,
    earned,
    rowOf,
    costsNothing,
    /** Everything as it was at the beginning, but for what is on the chain and in the database. */
    tidy: async () => {
      worked.length = 0;
      Object.assign(ways, { work: honest, ahead: 0 });
      proxy.be(null);
      proxy.calls.length = 0;
      for (const shop of shops.splice(0)) await shop.close();
    },
    close: async () => {
      await proxy.close();
      await market.close();
    },
  };
};

export type Street = Awaited<ReturnType<typeof openStreet>>;

/** The status of an answer, and what it says for machines. */
export const shown = ({ status, body }: Reply) => [status, body['code'] ?? body['error']];
