import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createFunctionEmbedder, createHttpEmbedder, type Embedder } from '@touchstone/search';
import { connect, invokeEmbedFunction } from '@touchstone/store';
import { z } from 'zod';
import type { ServiceConfig } from '../config/config.ts';
import {
  waitForMessage,
  type Child,
  type Print,
  type Spawn,
  type Supervisor,
} from '../processes/supervisor.ts';
import type { SiteVariables } from '../site/site-variables.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process'));
const listeningSchema = z.object({ type: z.literal('listening'), url: z.url() });
/** Messages that the embedder process sends after `listening`. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), megabytes: z.number() }),
  z.object({ type: z.literal('disabled'), reason: z.string() }),
]);

/** Maximum time until the process listens, in milliseconds. On an idle machine, the process listens within a second. */
const LISTEN_TIMEOUT_MS = 30_000;
/** Maximum time that the start waits for the model, in milliseconds. After this time, the model may still be loaded. */
const LOAD_WAIT_MS = 10_000;

/** Embedder of the jobs, and environment variables with which the site reaches the same embedder. */
export interface EmbedderConnection {
  /** Embedder of the jobs; null when search by meaning is disabled. */
  readonly embedder: Embedder | null;
  /** Environment variables with which the site reaches the embedder. The site embeds the search queries. */
  readonly variables: SiteVariables;
}

export interface EmbedderOptions {
  readonly supervisor: Supervisor;
  readonly print: Print;
  /** Additional environment variables of the process; for tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces LISTEN_TIMEOUT_MS; for tests. */
  readonly listenTimeoutMs?: number;
}

/** Opens the configured embedder. The service runs without an embedder when the embedder cannot start. */
export async function openEmbedderConnection(
  { embedder, supabase }: Pick<ServiceConfig, 'embedder' | 'supabase'>,
  options: EmbedderOptions,
): Promise<EmbedderConnection> {
  if (embedder === 'local') {
    try {
      return await startEmbedder(options);
    } catch (error) {
      options.print('search', `off: ${error instanceof Error ? error.message : String(error)}`);
      return createFixed('none', null);
    }
  }
  if (embedder === 'none' || supabase === null) {
    options.print('search', 'off: EMBEDDER is none');
    return createFixed('none', null);
  }
  options.print('search', `edge function embed of ${supabase.url}`);
  const db = connect({ url: supabase.url, key: supabase.secret });
  return createFixed(
    'supabase',
    createFunctionEmbedder((body, signal) => invokeEmbedFunction(db, body, signal)),
  );
}

function createFixed(EMBEDDER: 'supabase' | 'none', embedder: Embedder | null): EmbedderConnection {
  return { embedder, variables: { EMBEDDER, EMBEDDER_TOKEN: '' } };
}

/**
 * Starts the embedder process, and waits a few seconds for its model, because the site must know at its start whether
 * there is an embedder. The service also runs without the embedder. A process that ends is restarted on the same port,
 * and a disabled embedder is reported.
 *
 * @throws Error when the process ends before it listens, or does not listen in time
 */
async function startEmbedder(options: EmbedderOptions): Promise<EmbedderConnection> {
  const { supervisor, print, env = {} } = options;
  const token = randomBytes(24).toString('base64url');
  let isDisabled = false;
  let port = '0';
  const start = async (spawn: Spawn) => {
    const variables = { EMBEDDER_TOKEN: token, EMBEDDER_PORT: port };
    const child = spawn({ name: 'embedder', args: [ENTRY], env: { ...env, ...variables } });
    const loaded = reportModel(child, print).then((isLoaded) => (isDisabled = !isLoaded));
    const url = await waitForUrl(child, options.listenTimeoutMs ?? LISTEN_TIMEOUT_MS);
    ({ port } = new URL(url));
    return { url, loaded: Promise.race([loaded, child.ended]) };
  };
  const { url, loaded } = await supervisor.start({ name: 'search', start, isFinished: () => isDisabled });
  await Promise.race([loaded, sleep(LOAD_WAIT_MS, undefined, { ref: false })]);
  return {
    get embedder() {
      return isDisabled ? null : createHttpEmbedder({ url, token });
    },
    get variables() {
      return isDisabled ? { EMBEDDER: 'none', EMBEDDER_TOKEN: '' } : { EMBEDDER: url, EMBEDDER_TOKEN: token };
    },
  };
}

/**
 * Prints the state of the model. Resolves with true when the model is loaded, and with false when the model cannot be
 * used.
 */
function reportModel(child: Child, print: Print): Promise<boolean> {
  return new Promise((resolve) => {
    child.process.on('message', (message) => {
      const { data } = messageSchema.safeParse(message);
      if (data === undefined) return;
      const isLoaded = data.type === 'ready';
      print('search', isLoaded ? `gte-small on this machine (${data.megabytes} MB)` : `off: ${data.reason}`);
      resolve(isLoaded);
    });
  });
}

/** Waits until the process listens. */
async function waitForUrl(child: Child, timeoutMs: number): Promise<string> {
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`The embedder process did not listen within ${timeoutMs / 1000} s.`);
  });
  const listening = waitForMessage(child, listeningSchema);
  return (await Promise.race([listening, timeout])).url;
}
