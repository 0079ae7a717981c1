import { parseDirectorySource, type DirectorySource } from '@touchstone/catalog';
import type { Embedder } from '@touchstone/search';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { PipelineContext } from './context.ts';
import { createProbers, createProbeSender, formatUserAgent } from './create-probers.ts';
import type { ChainSource } from './settlement/chain-source.ts';

export interface PublicContextOptions {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  readonly directories: readonly string[];
  /** Base URL of the service. The probes send it in their `User-Agent` header. */
  readonly baseUrl: string;
  readonly owner: string;
  readonly onChanged: PipelineContext['onChanged'];
  /** Canaries: third-party URLs that respond whenever this machine has a network; none by default. */
  readonly canaryUrls?: readonly string[];
  /** Blockchain networks on which settled payments are read; none by default. */
  readonly chains?: readonly ChainSource[];
  /** Embedder of the search, shared by all runs of this process; none by default. */
  readonly embedder?: Embedder | null;
  /** Cipher of the secrets of watches; null by default. Without it, no messages of watches are delivered. */
  readonly cipher?: Cipher | null;
}

type Canaries = NonNullable<PipelineContext['canaries']>;

const canariesByUrls = new Map<string, Canaries>();

/**
 * Returns the same canaries object for the same URLs. Each run creates its own context, but the canary check is stored
 * per canaries object. With the same object, all runs of this process share one check.
 */
function shareCanaries(canaries: Canaries): Canaries {
  const key = canaries.urls.join(' ');
  const shared = canariesByUrls.get(key) ?? canaries;
  canariesByUrls.set(key, shared);
  return shared;
}

/**
 * Creates a context for the public internet: it uses the system's name servers, probes only public addresses, and uses
 * the real time.
 */
export function createPublicContext(options: PublicContextOptions): PipelineContext {
  const userAgent = formatUserAgent(options.baseUrl);
  const { canaries, ...probers } = createProbers({ userAgent, canaryUrls: options.canaryUrls });
  return {
    db: connect({ url: options.supabaseUrl, key: options.secretKey }),
    ...probers,
    ...(canaries === undefined ? {} : { canaries: shareCanaries(canaries) }),
    chains: options.chains ?? [],
    embedder: options.embedder ?? null,
    watches: {
      cipher: options.cipher ?? null,
      send: createProbeSender({ userAgent }),
      baseUrl: options.baseUrl,
    },
    directories: options.directories.map(toDirectorySource),
    userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    owner: options.owner,
    onChanged: options.onChanged,
  };
}

/**
 * Derives the directory name in the same way as the one-machine service, so that both store listings under the same
 * name.
 */
function toDirectorySource(text: string): DirectorySource {
  return parseDirectorySource(text) ?? { name: text, url: text };
}
