import { openSandboxClient, type SandboxClient } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { createProbers, formatUserAgent } from '../create-probers.ts';
import { createHostRateLimiter } from '../probing/host-rate-limiter.ts';
import type { ReportContext } from './report-context.ts';

export interface ReportContextOptions {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  /** `fetch` for the database connection instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Address of the service that makes the reports. The probes send it in their `User-Agent` header. */
  readonly baseUrl: string;
  /** Location from which latency is measured, as the reports name it. */
  readonly vantage: string;
  readonly onChanged: PipelineContext['onChanged'];
  /** `User-Agent` header of the probes; derived from `baseUrl` by default. */
  readonly userAgent?: string | undefined;
  /** Third-party URLs that respond whenever this machine has a network; none by default. */
  readonly canaryUrls?: readonly string[] | undefined;
  /** Note file of a sandbox on this machine. With it only the endpoints of the sandbox are probed. */
  readonly sandboxFile?: string | undefined;
  /** Name servers to use instead of the system's, as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined;
  /** Allows connections to private addresses. Only for an operator's own network, never for a public service. */
  readonly allowPrivate?: boolean | undefined;
}

/** Maximum probes per second at one host: more than the schedule allows, because each of these probes was paid for. */
const MAX_PER_HOST_PER_SECOND = 10;
/** Maximum age of the sandbox state. Its names change, and its clock is stopped and started. */
const MAX_SANDBOX_STATE_AGE_MS = 5_000;

/**
 * Creates the context that all paid requests of a process share: for the sandbox of this machine, or for the public
 * internet.
 *
 * @throws Error when a sandbox is configured that does not run
 */
export async function createReportContext(options: ReportContextOptions): Promise<ReportContext> {
  const { supabaseUrl, secretKey, baseUrl, vantage, onChanged, fetch, sandboxFile } = options;
  const userAgent = options.userAgent ?? formatUserAgent(baseUrl);
  const sandbox = sandboxFile === undefined ? undefined : await openSandboxClient(sandboxFile);
  return {
    db: connect({ url: supabaseUrl, key: secretKey, ...(fetch ? { fetch } : {}) }),
    rateLimiter: createHostRateLimiter({ perHostPerSecond: MAX_PER_HOST_PER_SECOND }),
    now: Date.now,
    onChanged,
    baseUrl,
    vantage,
    ...(sandbox === undefined
      ? createProbers({ ...options, userAgent })
      : { ...createProbers({ sandbox, userAgent }), mayProbe: createClockCheck(sandbox) }),
  };
}

/** Creates a check that allows probes only while the clock of the sandbox is the real time, not during its time-lapse. */
function createClockCheck(sandbox: SandboxClient): () => Promise<boolean> {
  let readAt = performance.now();
  return async () => {
    if (performance.now() - readAt > MAX_SANDBOX_STATE_AGE_MS) {
      readAt = performance.now();
      // Without a running sandbox the refresh fails, and so does the probe that follows.
      await sandbox.refresh().catch(() => undefined);
    }
    return sandbox.frozenAt() === null;
  };
}
