import { readDirectorySource, type DirectorySource } from '@touchstone/catalog';
import { cachedResolver, createProber, systemResolver, type Prober } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { ChainSource } from './chain-source.ts';
import type { PipelineContext } from './context.ts';

export interface PublicContextOptions {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  readonly directories: readonly string[];
  /** Where the service is reached: endpoints learn from it who probes them. */
  readonly baseUrl: string;
  readonly owner: string;
  readonly onChanged: PipelineContext['onChanged'];
  /** Addresses of others that answer whenever this machine can reach anybody; none unless given. */
  readonly canaryUrls?: readonly string[];
  /** The networks whose settlements are read; none unless given. */
  readonly chains?: readonly ChainSource[];
}

const RESOLVE_MS = 4_000;

const canariesByUrls = new Map<string, NonNullable<PipelineContext['canaries']>>();

/** A context is made anew for each run. The canaries stay, so that all runs of this process ask them together. */
function canariesOf(urls: readonly string[], createOwnProber: () => Prober) {
  const key = urls.join(' ');
  const canaries = canariesByUrls.get(key) ?? { urls, prober: createOwnProber() };
  canariesByUrls.set(key, canaries);
  return canaries;
}

/** A context for the public internet: the system's name servers, public addresses only, the real time. */
export function publicContext(options: PublicContextOptions): PipelineContext {
  const resolver = systemResolver({ timeoutMs: RESOLVE_MS });
  const userAgent = `Touchstone/0.1 (+${options.baseUrl}/)`;
  return {
    db: connect({ url: options.supabaseUrl, key: options.secretKey }),
    prober: createProber({ resolver: cachedResolver(resolver), userAgent }),
    canaries: canariesOf(options.canaryUrls ?? [], () => createProber({ resolver, userAgent })),
    chains: options.chains ?? [],
    directories: options.directories.map(toSource),
    userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    hostSuffix: null,
    owner: options.owner,
    onChanged: options.onChanged,
  };
}

/** Named as one machine names them, so that both remember a listing under the same name. */
function toSource(text: string): DirectorySource {
  return readDirectorySource(text) ?? { name: text, url: text };
}
