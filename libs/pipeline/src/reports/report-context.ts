import type { TrustReport } from '@touchstone/contract';
import type { Prober, SandboxClient } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { createProbers, openNetwork, type NetworkSettings } from '../create-probers.ts';
import { createHostRateLimiter, type HostRateLimiter } from '../host-rate-limiter.ts';
import type { ReportProblem } from '../problem.ts';
import { createAddressLimit } from '../watches/address-limit.ts';
import { createFirstContacts, type FirstContacts } from './first-contacts.ts';

/**
 * External dependencies of trust reports. All requests should use the same context, because concurrent requests for one
 * endpoint then share a probe.
 */
export interface ReportContext extends Pick<
  PipelineContext,
  'db' | 'prober' | 'canaries' | 'rateLimiter' | 'now' | 'hostSuffix' | 'onChanged'
> {
  /** Base URL of the service that makes the reports. */
  readonly baseUrl: string;
  /** Location from which latency is measured, as it appears in the reports. */
  readonly vantage: string;
  /** Resolves to false while no endpoint may be probed. Without this function, probes are always allowed. */
  readonly mayProbe?: () => Promise<boolean>;
  /** Maximum time that a report waits for its probe, in milliseconds; default 5,000. */
  readonly maxLiveProbeMs?: number;
  /** Limits for probes of endpoints outside the catalog; no limits by default. */
  readonly firstContacts?: FirstContacts;
  /**
   * Prober and rate limiter of free checks. A pause that a host asks for during free checks does not stop the probes of
   * paid reports.
   */
  readonly checkNetwork: { readonly prober: Prober; readonly rateLimiter: HostRateLimiter };
}

/** Unsigned report. */
interface ReportMade {
  readonly kind: 'report';
  readonly report: TrustReport;
}

/** Report, or the reason why there is no report. */
export type ReportOutcome = ReportMade | ReportProblem;

export interface ReportContextOptions extends NetworkSettings {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  /** `fetch` for the database connection; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Location from which latency is measured, as it appears in the reports. */
  readonly vantage: string;
  readonly onChanged: PipelineContext['onChanged'];
}

/**
 * Maximum probes per second at one host. The rate is higher than for scheduled probes, because each probe of a report
 * was paid for.
 */
const MAX_PER_HOST_PER_SECOND = 10;
/**
 * Maximum connections of all free checks to one address within a minute. The limit is higher than that of connection
 * tests, because a check opens about four connections, and many hosts share the address of a CDN.
 */
const MAX_CHECK_CONNECTIONS_PER_ADDRESS = 240;
/**
 * Age at which the sandbox state is read again, in milliseconds. The host names of the sandbox can change, and its
 * clock can be stopped and started.
 */
const MAX_SANDBOX_STATE_AGE_MS = 5_000;

/**
 * Creates the context that all paid requests of a process share, either for the sandbox of this machine or for the
 * public internet.
 *
 * @throws Error when a sandbox is configured and does not run
 */
export async function createReportContext(options: ReportContextOptions): Promise<ReportContext> {
  const { supabaseUrl, secretKey, baseUrl, vantage, onChanged, fetch, ...settings } = options;
  const network = await openNetwork({ baseUrl, ...settings });
  const rateLimiter = createHostRateLimiter({ perHostPerSecond: MAX_PER_HOST_PER_SECOND });
  const checkLimiter = createHostRateLimiter();
  const mayConnect = createAddressLimit(Date.now, MAX_CHECK_CONNECTIONS_PER_ADDRESS);
  const { prober } = createProbers({ ...network, rateLimiter: checkLimiter, mayConnect });
  return {
    db: connect({ url: supabaseUrl, key: secretKey, ...(fetch ? { fetch } : {}) }),
    rateLimiter,
    firstContacts: createFirstContacts(Date.now),
    now: Date.now,
    onChanged,
    baseUrl,
    vantage,
    ...createProbers({ ...network, rateLimiter }),
    checkNetwork: { prober, rateLimiter: checkLimiter },
    ...(network.sandbox === undefined ? {} : { mayProbe: createClockCheck(network.sandbox) }),
  };
}

/**
 * Creates a check that forbids probes during the time-lapse of the sandbox, when the clock of the sandbox does not show
 * the real time.
 */
function createClockCheck(sandbox: SandboxClient): () => Promise<boolean> {
  let readAt = performance.now();
  return async () => {
    if (performance.now() - readAt > MAX_SANDBOX_STATE_AGE_MS) {
      readAt = performance.now();
      // An error is ignored, because a probe of a sandbox that does not run fails anyway.
      await sandbox.refresh().catch(() => undefined);
    }
    return sandbox.frozenAt() === null;
  };
}
