import {
  createChainSources,
  createHostRateLimiter,
  createProbers,
  createProbeSender,
  type PipelineContext,
} from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { LiveConfig } from '../config/live-config.ts';

export interface LiveContextOptions extends Pick<PipelineContext, 'owner' | 'embedder' | 'onChanged'> {
  readonly live: LiveConfig;
  readonly baseUrl: string;
  readonly database: { readonly url: string; readonly secret: string };
  /** Cipher of the secrets of watches. */
  readonly cipher: Cipher;
}

/**
 * Creates the pipeline context of live mode. Probes go to the public internet with rate limits, and time is real time.
 */
export function createLiveContext({
  live,
  baseUrl,
  database,
  cipher,
  owner,
  embedder,
  onChanged,
}: LiveContextOptions): PipelineContext {
  const { userAgent, nameServers, allowPrivate } = live;
  const network = { userAgent, nameServers: nameServers ?? undefined, allowPrivate };
  return {
    db: connect({ url: database.url, key: database.secret }),
    ...createProbers({ ...network, canaryUrls: live.canaries }),
    watches: { cipher, send: createProbeSender(network), baseUrl },
    rateLimiter: createHostRateLimiter({
      perSecond: live.probesPerSecond,
      perHostPerSecond: live.probesPerHostPerSecond,
    }),
    chains: createChainSources(live.rpcUrls),
    directories: live.directories,
    userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    owner,
    embedder: embedder ?? null,
    onChanged,
  };
}
