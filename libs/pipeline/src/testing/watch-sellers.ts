import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openPaymentWorld, openProxy } from '@touchstone/payment/testing';
import { startReceivers } from './receivers.ts';
import { BASE_URL } from './watch-world.ts';
import type { HeldCall, WatchSellerMessage, WatchSellerSettings } from './watch-seller-process.ts';

const PROGRAM = fileURLToPath(new URL('./watch-seller-process.ts', import.meta.url));
const LEASE_SECONDS = 1;
/** Address that receives the payments. */
export const PAY_TO = `0x${'5'.repeat(40)}` as const;
/** Host of webhooks. Their connection tests are held before the purchase is stored. */
export const WEBHOOK_HOST = 'one.example.net';

/** Point of a purchase at which a process is killed. */
export type KillPoint =
  | 'before the purchase is stored'
  | 'before the result is stored'
  | 'before the settlement'
  | 'after the settlement'
  | 'after the settlement is recorded';

/** Calls of the database at which a process is stopped. Settlements are held in the proxy of the facilitator. */
const HELD_CALLS: Readonly<Record<KillPoint, HeldCall | null>> = {
  // Creations are held in the connection test, and renewals before they are stored.
  'before the purchase is stored': { name: 'create_renewal', when: 'before' },
  'before the result is stored': { name: 'store_payment_result', when: 'before' },
  'before the settlement': null,
  'after the settlement': null,
  'after the settlement is recorded': { name: 'settle_payment', when: 'after' },
};

/** Starts a chain, a facilitator behind a proxy, a database, and receivers. Sellers of watches run in own processes. */
export async function openWatchSellers(watchKey: string) {
  const [world, receivers] = await Promise.all([openPaymentWorld(), startReceivers()]);
  const proxy = await openProxy(world.facilitatorUrl);
  const children = new Set<ChildProcess>();

  /** Starts a seller. `onHeld` is called for each request that reaches the held call. */
  const open = async (heldCall: HeldCall | null = null, onHeld?: () => void) => {
    const settings: WatchSellerSettings = {
      databaseUrl: world.database.url,
      databaseKey: world.database.key,
      facilitatorUrl: proxy.url,
      chainUrl: world.chainUrl,
      network: world.network,
      payTo: PAY_TO,
      baseUrl: BASE_URL,
      watchKey,
      receivers: { port: receivers.port, ca: receivers.ca },
      leaseSeconds: LEASE_SECONDS,
      heldCall,
    };
    const env = { ...process.env, WATCH_SELLER: JSON.stringify(settings) };
    const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.add(child);
    const opened = Promise.withResolvers<string>();
    child.on('exit', () => opened.reject(new Error('the process ended before it accepted requests')));
    child.on('message', (message: WatchSellerMessage) => {
      if (message.type === 'open') opened.resolve(message.url);
      else onHeld?.();
    });
    return { child, url: await opened.promise };
  };

  const holdSettlements = (onHeld: () => void, isForwarded: boolean): void =>
    proxy.setFault(async ({ path, forward }) => {
      if (path !== '/settle') return false;
      if (isForwarded) await forward();
      onHeld();
      return true;
    });

  /** Stops holding requests. */
  const release = (): void => {
    receivers.handlers.clear();
    proxy.setFault(null);
  };

  /**
   * Starts a seller and sends `count` requests to it. Kills the seller when all of them have reached the point.
   *
   * @param send sends all requests to the seller at a URL
   * @returns the errors of the requests
   */
  const killAt = async (
    point: KillPoint,
    count: number,
    send: (url: string) => readonly Promise<{ readonly text: string }>[],
  ): Promise<readonly unknown[]> => {
    const reached = Promise.withResolvers<undefined>();
    let held = 0;
    const onHeld = () => {
      held += 1;
      if (held === count) reached.resolve(undefined);
    };
    const { child, url } = await open(HELD_CALLS[point], onHeld);
    if (point === 'before the purchase is stored') receivers.handlers.set(WEBHOOK_HOST, onHeld);
    if (point === 'before the settlement') holdSettlements(onHeld, false);
    if (point === 'after the settlement') holdSettlements(onHeld, true);
    const sent = send(url).map(async (reply) => {
      throw new Error(`the process responded before it was killed: ${(await reply).text}`);
    });
    await Promise.race([reached.promise, ...sent]);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    const outcomes = await Promise.allSettled(sent);
    release();
    return outcomes.map((outcome): unknown => (outcome.status === 'rejected' ? outcome.reason : null));
  };

  const close = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    }
    await Promise.all([proxy.close(), receivers.close()]);
    await world.close();
  };

  return { world, open, killAt, release, close };
}
