import { chainSources, createManners, type PipelineContext } from '@touchstone/pipeline';
import { cachedResolver, createProber, systemResolver } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { LiveConfig } from './live-config.ts';

export interface LiveContextOptions extends Pick<PipelineContext, 'owner' | 'onChanged'> {
  readonly live: LiveConfig;
  readonly database: { readonly url: string; readonly secret: string };
}

const RESOLVE_MS = 4_000;

/** A context for the public internet: real name servers and time, and public addresses only. */
export function liveContext({ live, database, owner, onChanged }: LiveContextOptions): PipelineContext {
  const { userAgent, nameServers, allowPrivate } = live;
  const resolver = systemResolver({ timeoutMs: RESOLVE_MS, servers: nameServers ?? undefined });
  const guard = allowPrivate ? () => null : undefined;
  const asked = { userAgent, guard };
  return {
    db: connect({ url: database.url, key: database.secret }),
    prober: createProber({ ...asked, resolver: cachedResolver(resolver) }),
    canaries: { urls: live.canaries, prober: createProber({ ...asked, resolver }) },
    manners: createManners({
      perSecond: live.probesPerSecond,
      perHostPerSecond: live.probesPerHostPerSecond,
    }),
    chains: chainSources(live.rpcUrls),
    directories: live.directories,
    userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    hostSuffix: null,
    owner,
    onChanged,
  };
}
