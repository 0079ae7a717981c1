import { createProviders } from '@touchstone/chain';
import { createFacilitator, createSeller } from '@touchstone/payment';
import { connect } from '@touchstone/store';
import { createCipher } from '@touchstone/watch';
import { createReceiverSender } from './receivers.ts';
import { serveWatches } from './serve-watches.ts';

/** Call of a database function at which the process stops every request: before it is sent, or after its response. */
export interface HeldCall {
  readonly name: string;
  readonly when: 'before' | 'after';
}

/** Settings of a process that sells watches and renewals until it is killed. */
export interface WatchSellerSettings {
  readonly databaseUrl: string;
  readonly databaseKey: string;
  readonly facilitatorUrl: string;
  readonly chainUrl: string;
  readonly network: string;
  readonly payTo: string;
  readonly baseUrl: string;
  readonly watchKey: string;
  readonly receivers: { readonly port: number; readonly ca: string };
  readonly leaseSeconds: number;
  readonly heldCall: HeldCall | null;
}

/** Message of the process: it accepts requests at a URL, or it stopped a request at the held call. */
export type WatchSellerMessage = { readonly type: 'open'; readonly url: string } | { readonly type: 'held' };

// The test that starts this process writes its settings, so they need no validation.
const settings = JSON.parse(process.env['WATCH_SELLER'] ?? '{}') as WatchSellerSettings;
const { network, payTo, baseUrl, leaseSeconds, heldCall } = settings;

const report = (message: WatchSellerMessage): void => void process.send?.(message);
const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Reports the request that reached the held call. The returned promise stays pending, so the request never continues. */
function hold(): Promise<never> {
  report({ type: 'held' });
  return new Promise(() => undefined);
}

/** Sends a request to the database, unless it is the held call. */
const fetchOrHold: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const isHeld = heldCall !== null && new URL(url).pathname.endsWith(`/rpc/${heldCall.name}`);
  if (isHeld && heldCall.when === 'before') return hold();
  const response = await fetch(input, init);
  return isHeld ? hold() : response;
};

const db = connect({ url: settings.databaseUrl, key: settings.databaseKey, fetch: fetchOrHold });
const seller = createSeller({
  db,
  facilitator: createFacilitator({ url: settings.facilitatorUrl }),
  chain: createProviders({ network, urls: [settings.chainUrl], fetch, sleep, now: Date.now }),
  network,
  payTo,
  baseUrl,
  now: Date.now,
  leases: { workSeconds: leaseSeconds, settleSeconds: leaseSeconds },
});
const { createUrl } = await serveWatches(seller, {
  db,
  cipher: createCipher([settings.watchKey]),
  send: createReceiverSender(settings.receivers),
  baseUrl,
  now: Date.now,
});
process.once('disconnect', () => process.exit(0));
report({ type: 'open', url: new URL(createUrl).origin });
