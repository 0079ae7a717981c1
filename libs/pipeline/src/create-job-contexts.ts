import { parseDirectorySource, type DirectorySource } from '@touchstone/catalog';
import type { PurchaseSettings } from '@touchstone/delivery';
import type { SandboxClient } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { PipelineContext } from './context.ts';
import {
  createJobProofReader,
  createProbers,
  createProbeSender,
  openNetwork,
  type NetworkSettings,
} from './create-probers.ts';

export interface JobContextOptions
  extends NetworkSettings, Pick<PipelineContext, 'onChanged' | 'chains' | 'embedder'> {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  readonly directories: readonly string[];
  /** Wallet and budget of test purchases; nothing is bought by default. */
  readonly purchases?: PurchaseSettings | undefined;
  /** Cipher of the secrets of watches; null by default. Without a cipher, no messages of watches are delivered. */
  readonly cipher?: Cipher | null;
}

/** Properties that all contexts of a process share, and the sandbox of the process. */
interface Shared {
  readonly context: Omit<PipelineContext, 'owner'>;
  readonly sandbox: SandboxClient | undefined;
}

/**
 * Returns a function that creates a new context for each request of Inngest. All contexts share the database client, the
 * cache of resolved names and the canary check. Each context has its own lease owner, because Inngest may deliver a step
 * twice.
 *
 * The returned function rejects when a sandbox is configured and does not run, or while its clock stands still: another
 * process then simulates past days. Inngest runs the step again.
 */
export function createJobContexts(options: JobContextOptions): () => Promise<PipelineContext> {
  let opening: Promise<Shared> | undefined;
  return async () => {
    try {
      opening ??= openShared(options);
      const { context, sandbox } = await opening;
      await sandbox?.refresh();
      if (sandbox !== undefined && sandbox.frozenAt() !== null)
        throw new Error('The clock of the sandbox stands still. Jobs run when it follows the real time.');
      return { ...context, owner: `inngest-${crypto.randomUUID()}` };
    } catch (error) {
      // The next request connects to the sandbox again, because a restarted sandbox may have another port and
      // certificate.
      opening = undefined;
      throw error;
    }
  };
}

async function openShared(options: JobContextOptions): Promise<Shared> {
  const { supabaseUrl, secretKey, baseUrl, directories, onChanged, chains, embedder, cipher, ...rest } =
    options;
  const { purchases, ...settings } = rest;
  const network = await openNetwork({ baseUrl, ...settings });
  const context = {
    db: connect({ url: supabaseUrl, key: secretKey }),
    ...createProbers(network),
    chains: chains ?? [],
    embedder: embedder ?? null,
    watches: { cipher: cipher ?? null, send: createProbeSender(network), baseUrl },
    readProof: createJobProofReader(network),
    ...(purchases === undefined ? {} : { purchases: { ...purchases, send: createProbeSender(network) } }),
    directories: directories.map(toDirectorySource),
    userAgent: network.userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    onChanged,
  };
  return { context, sandbox: network.sandbox };
}

/**
 * Derives the directory name in the same way as the one-machine service, so that both services store the listings of a
 * directory under the same name.
 */
function toDirectorySource(text: string): DirectorySource {
  return parseDirectorySource(text) ?? { name: text, url: text };
}
