import { readDirectorySource, type DirectorySource } from '@touchstone/catalog';
import { cachedResolver, createProber, systemResolver } from '@touchstone/probe';
import { connect } from '@touchstone/store';
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
}

const RESOLVE_MS = 4_000;

/** A context for the public internet: the system's name servers, public addresses only, the real time. */
export function publicContext(options: PublicContextOptions): PipelineContext {
  const resolver = systemResolver({ timeoutMs: RESOLVE_MS });
  const userAgent = `Touchstone/0.1 (+${options.baseUrl}/)`;
  return {
    db: connect({ url: options.supabaseUrl, key: options.secretKey }),
    prober: createProber({ resolver: cachedResolver(resolver), userAgent }),
    canaries: { urls: options.canaryUrls ?? [], prober: createProber({ resolver, userAgent }) },
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
