import { createProviders } from '@touchstone/chain';
import { connect } from '@touchstone/store';
import { z } from 'zod';
import { createFacilitator, createSeller } from '../index.ts';
import { serveShop } from './serve-shop.ts';

/** A shop in a process of its own, which can be killed. It says where it is, and when it begins to work. */
const settings = z
  .object({
    databaseUrl: z.string(),
    databaseKey: z.string(),
    facilitatorUrl: z.string(),
    chainUrl: z.string(),
    network: z.string(),
    payTo: z.string(),
    /** How long the work takes, milliseconds. */
    workMs: z.number(),
    leaseSeconds: z.number(),
  })
  .parse(JSON.parse(process.env['SHOP'] ?? '{}'));

const say = (message: object): void => void process.send?.(message);

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const { network, payTo, leaseSeconds } = settings;
const seller = createSeller({
  db: connect({ url: settings.databaseUrl, key: settings.databaseKey }),
  facilitator: createFacilitator({ url: settings.facilitatorUrl }),
  chain: createProviders({ network, urls: [settings.chainUrl], fetch, sleep, now: Date.now }),
  network,
  payTo,
  baseUrl: 'https://touchstone.example',
  now: Date.now,
  leases: { workSeconds: leaseSeconds, settleSeconds: leaseSeconds },
});
const shop = await serveShop(seller, async ({ resource }) => {
  say({ type: 'working' });
  await sleep(settings.workMs);
  return { body: { about: resource, by: process.pid } };
});
process.once('disconnect', () => process.exit(0));
say({ type: 'open', url: shop.url });
