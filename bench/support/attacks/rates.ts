import type { HttpReply } from '../../../apps/web-e2e/support/attacks/http-client.ts';
import { createHttpClient } from '../../../apps/web-e2e/support/attacks/http-client.ts';

/** Number of requests of one address. It is below the rate limit of free operations. */
const REQUESTS_PER_ADDRESS = 250;

let lastAddress = 0;

/** Returns a loopback address that no earlier caller got, from 127.1.0.1 on. */
export function takeAddress(): string {
  lastAddress += 1;
  return `127.1.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
}

interface RateOptions {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly atOnce: number;
  readonly ms: number;
}

/**
 * Returns the number of successful requests per second for one path. The requests come from many addresses, so that no
 * rate limit refuses them.
 */
export async function measureRateOfManyClients(url: string, options: RateOptions): Promise<number> {
  const { path, headers, atOnce, ms } = options;
  const started = performance.now();
  let count = 0;
  const runWorker = async (): Promise<void> => {
    while (performance.now() - started < ms) {
      const client = createHttpClient(url, takeAddress(), { keepAlive: true });
      for (let sent = 0; sent < REQUESTS_PER_ADDRESS && performance.now() - started < ms; sent += 1) {
        const { status } = await client.send({ path, headers });
        if (status !== 200) throw new Error(`${path} responded with ${status}`);
        count += 1;
      }
      client.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runWorker));
  return count / ((performance.now() - started) / 1_000);
}

/** Calls a function at a constant rate, without waiting for its results, until the returned function is called. */
export function repeatAtRate(
  perSecond: number,
  send: (index: number) => Promise<unknown>,
): () => Promise<void> {
  const pending = new Set<Promise<unknown>>();
  const started = performance.now();
  let index = 0;
  const timer = setInterval(() => {
    // A busy event loop delays the timer, so each call sends all requests that are due.
    const due = ((performance.now() - started) / 1_000) * perSecond;
    for (; index < due; index += 1) {
      const task = send(index).catch(() => undefined);
      pending.add(task);
      void task.then(() => pending.delete(task));
    }
  }, 20);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
  };
}

/** Counts replies by their status. */
export function countStatuses(replies: readonly Pick<HttpReply, 'status'>[]): string {
  const counts = Map.groupBy(replies, ({ status }) => status);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, alike]) => `${alike.length} × ${status}`)
    .join(', ');
}
