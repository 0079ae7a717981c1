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

export interface EmbedderOptions {
  readonly logDir: string;
  /** Prints a line for the operator. */
  readonly print: (part: string, text: string) => void;
  /** Environment variables that are added; for tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the embedder process. It listens at once and loads the model while the other parts start. The service keeps
 * running without it: a process that ends is restarted on the same port, and a disabled one is reported.
 */
export async function startEmbedder({ logDir, print, env = {} }: EmbedderOptions): Promise<SearchEmbedder> {
  const token = randomBytes(24).toString('base64url');
  const stopping = new AbortController();
  let isDisabled = false;
  const spawnEmbedder = (port: string): Child => {
    const variables = { ...env, EMBEDDER_TOKEN: token, EMBEDDER_PORT: port };
    const child = startChild({ name: 'embedder', args: [ENTRY], env: variables, logDir });
    child.process.on('message', (message) => {
      const { data } = messageSchema.safeParse(message);
      if (data?.type === 'ready') print('search', `gte-small on this machine (${data.megabytes} MB)`);
      if (data?.type !== 'disabled') return;
      isDisabled = true;
      print('search', `off: ${data.reason}`);
    });
    return child;
  };
  let child = spawnEmbedder('0');
  const { url } = await waitUntilReady(child, 'embedder', (message) => listeningSchema.parse(message));
  const keepRunning = async (): Promise<void> => {
    let delayMs = MIN_RESTART_DELAY_MS;
    for (;;) {
      await child.ended;
      if (isDisabled || stopping.signal.aborted) return;
      print('search', `the embedder process ended unexpectedly; it restarts in ${delayMs / 1000} s`);
      await sleep(delayMs, undefined, { signal: stopping.signal });
      child = spawnEmbedder(new URL(url).port);
      delayMs = Math.min(2 * delayMs, MAX_RESTART_DELAY_MS);
    }
  };
  // The wait before a restart rejects when the service stops.
  keepRunning().catch(() => undefined);
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
