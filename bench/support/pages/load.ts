import { Agent, request } from 'node:http';

/** Sends GET requests over kept connections. */
export interface Client {
  /** Requests a URL and reads the whole response. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  close(): void;
}

interface Reply {
  readonly status: number;
  /** Size of the body as transferred, in bytes. */
  readonly bytes: number;
}

export function createClient(connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    get: (url, headers = {}) =>
      new Promise((resolve, reject) => {
        request(url, { agent, headers }, (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
          response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
          response.once('error', reject);
        })
          .once('error', reject)
          .end();
      }),
    close: () => agent.destroy(),
  };
}

/** Runs `task` for every item with at most `atOnce` items at the same time. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Returns the number of successful requests per second for one URL, with `atOnce` requests at the same time. */
export async function measureRate(
  client: Client,
  url: string,
  { headers, atOnce, ms }: { headers: Readonly<Record<string, string>>; atOnce: number; ms: number },
): Promise<number> {
  const started = performance.now();
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < ms) {
      const { status } = await client.get(url, headers);
      if (status !== 200) throw new Error(`${url} responded with ${status}.`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count / ((performance.now() - started) / 1_000);
}
