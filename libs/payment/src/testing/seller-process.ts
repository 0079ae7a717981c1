import { createProviders } from '@touchstone/chain';
import { connect } from '@touchstone/store';
import { z } from 'zod';
import { createFacilitator, createSeller } from '../index.ts';
import { serveSeller } from './serve-seller.ts';

/**
 * Settings of this process. The process runs one seller, and a test can kill the process. The process reports its URL
 * and each start of its work.
 */
const settings = z
  .object({
    databaseUrl: z.string(),
    databaseKey: z.string(),
    facilitatorUrl: z.string(),
    chainUrl: z.string(),
    network: z.string(),
    payTo: z.string(),
    /** Duration of the work, in milliseconds. */
    workMs: z.number(),
    leaseSeconds: z.number(),
  })
  .parse(JSON.parse(process.env['SELLER'] ?? '{}'));

const report = (message: object): void => void process.send?.(message);

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
const server = await serveSeller(seller, async ({ resource }) => {
  report({ type: 'working' });
  await sleep(settings.workMs);
  return { body: { about: resource, by: process.pid } };
});
process.once('disconnect', () => process.exit(0));
report({ type: 'open', url: server.url });
