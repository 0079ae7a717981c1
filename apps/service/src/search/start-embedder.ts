import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHttpEmbedder } from '@touchstone/search';
import { z } from 'zod';
import { startChild, waitUntilReady, type Child } from '../processes/child-process.ts';
import type { SearchEmbedder } from './search-embedder.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process'));
const listeningSchema = z.object({ type: z.literal('listening'), url: z.url() });
/** Messages after the first one. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), megabytes: z.number() }),
  z.object({ type: z.literal('disabled'), reason: z.string() }),
]);

const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 60_000;
/** Maximum time until the process listens, in milliseconds. It needs less than a second on an idle machine. */
const LISTEN_TIMEOUT_MS = 30_000;
/** Maximum time for which the start waits until the model is loaded or disabled, in milliseconds. */
const LOAD_WAIT_MS = 10_000;

export interface EmbedderOptions {
  readonly logDir: string;
  /** Prints a line for the operator. */
  readonly print: (part: string, text: string) => void;
  /** Environment variables that are added; for tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces LISTEN_TIMEOUT_MS; for tests. */
  readonly listenTimeoutMs?: number;
}

/**
 * Starts the embedder process, and waits a few seconds for its model, because the site must know at its start whether
 * there is an embedder. The service keeps running without it: a process that ends is restarted on the same port, and a
 * disabled one is reported.
 *
 * @throws Error when the process ends before it listens, or does not listen in time
 */
export async function startEmbedder(options: EmbedderOptions): Promise<SearchEmbedder> {
  const token = randomBytes(24).toString('base64url');
  const stopping = new AbortController();
  let isDisabled = false;
  const spawnEmbedder = (port: string) => {
    const spawned = spawnProcess(options, { EMBEDDER_TOKEN: token, EMBEDDER_PORT: port });
    return { ...spawned, loaded: spawned.loaded.then((isLoaded) => (isDisabled = !isLoaded)) };
  };
  const first = spawnEmbedder('0');
  let { child } = first;
  const url = await waitForUrl(child, options.listenTimeoutMs ?? LISTEN_TIMEOUT_MS);
  const keepRunning = async (): Promise<void> => {
    let delayMs: number | null = null;
    for (;;) {
      const startedAt = performance.now();
      const stderr = await child.ended;
      if (isDisabled || stopping.signal.aborted) return;
      delayMs = computeRestartDelay(delayMs, performance.now() - startedAt);
      options.print('search', formatRestart(stderr, delayMs));
      await sleep(delayMs, undefined, { signal: stopping.signal });
      ({ child } = spawnEmbedder(new URL(url).port));
    }
  };
  // The wait before a restart rejects when the service stops.
  keepRunning().catch(() => undefined);
  await Promise.race([first.loaded, child.ended, sleep(LOAD_WAIT_MS, undefined, { ref: false })]);
  return {
    get embedder() {
      return isDisabled ? null : createHttpEmbedder({ url, token });
    },
    get variables() {
      return isDisabled ? { EMBEDDER: 'none', EMBEDDER_TOKEN: '' } : { EMBEDDER: url, EMBEDDER_TOKEN: token };
    },
    stop: async () => {
      stopping.abort();
      await child.stop();
    },
  };
}

/**
 * Returns the delay before a restart, in milliseconds: twice the previous delay. After a process that ran for longer than
 * the maximum delay, the delay is the minimum again.
 *
 * @param previousMs previous delay; null before the first restart
 * @param ranMs time for which the process ran, in milliseconds
 */
export function computeRestartDelay(previousMs: number | null, ranMs: number): number {
  if (previousMs === null || ranMs > MAX_RESTART_DELAY_MS) return MIN_RESTART_DELAY_MS;
  return Math.min(2 * previousMs, MAX_RESTART_DELAY_MS);
}

/** Starts one process. `loaded` resolves with true when the model is loaded, and with false when it cannot be used. */
function spawnProcess({ logDir, print, env = {} }: EmbedderOptions, variables: Record<string, string>) {
  const child = startChild({ name: 'embedder', args: [ENTRY], env: { ...env, ...variables }, logDir });
  const loaded = new Promise<boolean>((resolve) => {
    child.process.on('message', (message) => {
      const { data } = messageSchema.safeParse(message);
      if (data === undefined) return;
      const isLoaded = data.type === 'ready';
      print('search', isLoaded ? `gte-small on this machine (${data.megabytes} MB)` : `off: ${data.reason}`);
      resolve(isLoaded);
    });
  });
  return { child, loaded };
}

/** Waits until the process listens. A process that does not listen in time is stopped. */
async function waitForUrl(child: Child, timeoutMs: number): Promise<string> {
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`The embedder process did not listen within ${timeoutMs / 1000} s.`);
  });
  try {
    const listening = waitUntilReady(child, 'embedder', (message) => listeningSchema.parse(message));
    return (await Promise.race([listening, timeout])).url;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Formats the line about a process that ended. The last line of its error output with an error is the reason. */
function formatRestart(stderr: string, delayMs: number): string {
  const reason = stderr.split('\n').findLast((line) => /error|embedder:/i.test(line));
  const ended = 'the embedder process ended unexpectedly';
  return `${ended}${reason === undefined ? '' : ` (${reason.trim()})`}; it restarts in ${delayMs / 1000} s`;
}
