import type { LiveConfig } from './live-config.ts';
import type { Variables } from './payment-variables.ts';

/** How the site probes what a report is bought of: as this service probes, under its name and from its name servers. */
export function liveVariables(
  live: Pick<LiveConfig, 'userAgent' | 'canaries' | 'nameServers' | 'allowPrivate'>,
): Variables {
  return {
    PROBE_USER_AGENT: live.userAgent,
    CANARY_URLS: live.canaries.join(' '),
    NAME_SERVERS: (live.nameServers ?? []).join(' '),
    ALLOW_PRIVATE: live.allowPrivate ? 'for-tests' : '',
    // Else a variable meant for another process would have reports tell of a sandbox.
    SANDBOX_FILE: '',
  };
}
