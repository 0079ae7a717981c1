import type { LiveConfig } from '../config/live-config.ts';
import type { SiteVariables } from './payment-variables.ts';

/**
 * Creates the site's environment variables for live probes, so that the site probes with the same settings as the
 * service.
 */
export function createLiveVariables(
  live: Pick<LiveConfig, 'userAgent' | 'canaries' | 'nameServers' | 'allowPrivate'>,
): SiteVariables {
  return {
    PROBE_USER_AGENT: live.userAgent,
    CANARY_URLS: live.canaries.join(' '),
    NAME_SERVERS: (live.nameServers ?? []).join(' '),
    ALLOW_PRIVATE: live.allowPrivate ? 'for-tests' : '',
    // Clears a SANDBOX_FILE of the operator's shell. With this variable, reports would describe sandbox endpoints.
    SANDBOX_FILE: '',
  };
}
