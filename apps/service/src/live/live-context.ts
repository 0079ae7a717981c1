import {
  createChainSources,
  createHostRateLimiter,
  createProbers,
  type PipelineContext,
} from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import type { LiveConfig } from '../config/live-config.ts';

export interface LiveContextOptions extends Pick<PipelineContext, 'owner' | 'embedder' | 'onChanged'> {
  readonly live: LiveConfig;
  readonly database: { readonly url: string; readonly secret: string };
}

/**
 * Creates the pipeline context of live mode. Probes go to the public internet with rate limits, and time is real time.
 */
export function createLiveContext({
  live,
  database,
  owner,
  embedder,
  onChanged,
}: LiveContextOptions): PipelineContext {
  const { userAgent, nameServers, allowPrivate } = live;
  return {
    db: connect({ url: database.url, key: database.secret }),
    ...createProbers({
      userAgent,
      canaryUrls: live.canaries,
      nameServers: nameServers ?? undefined,
      allowPrivate,
    }),
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
