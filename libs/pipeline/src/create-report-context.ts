import {
  cachedResolver,
  createProber,
  openLocalWorld,
  systemResolver,
  type LocalWorld,
} from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { createManners } from './manners.ts';
import type { ReportContext } from './report-context.ts';

export interface ReportContextOptions {
  readonly supabaseUrl: string;
  readonly secretKey: string;
  /** Opens the database with it instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Address of the service that makes the reports: endpoints learn from it who asks them. */
  readonly baseUrl: string;
  readonly onChanged: PipelineContext['onChanged'];
  /** Who asks, in the words of an HTTP header, where that is not told by `baseUrl` alone. */
  readonly userAgent?: string | undefined;
  /** Addresses of others that answer whenever this machine can reach anybody; none unless given. */
  readonly canaryUrls?: readonly string[] | undefined;
  /** Note of a sandbox on this machine: then nobody outside of it is asked. */
  readonly sandboxFile?: string | undefined;
  /** Name servers to ask instead of the system's, as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined;
  /** Dials private addresses too: for an operator's own network, never for the public one. */
  readonly allowPrivate?: boolean | undefined;
}

const RESOLVE_MS = 4_000;
/** Each of these probes was paid for, so a host is asked more often than the schedule asks it. */
const PER_HOST_PER_SECOND = 10;
/** So old may be what is known of a sandbox: names of it come and go, and its clock is stopped and started. */
const WORLD_MAX_AGE_MS = 5_000;

/**
 * What reports are sold with, in one process for all requests. The public internet with public addresses only, or the
 * sandbox of this machine.
 *
 * @throws LocalWorldError when a sandbox is named that does not run
 */
export async function createReportContext(options: ReportContextOptions): Promise<ReportContext> {
  const { supabaseUrl, secretKey, baseUrl, onChanged, fetch } = options;
  const userAgent = options.userAgent ?? `Touchstone/0.1 (+${baseUrl}/)`;
  return {
    db: connect({ url: supabaseUrl, key: secretKey, ...(fetch ? { fetch } : {}) }),
    manners: createManners({ perHostPerSecond: PER_HOST_PER_SECOND }),
    now: Date.now,
    onChanged,
    baseUrl,
    ...(options.sandboxFile === undefined
      ? inPublic(options, userAgent)
      : inWorld(await openLocalWorld(options.sandboxFile), userAgent)),
  };
}

type Surroundings = Pick<ReportContext, 'prober' | 'canaries' | 'hostSuffix' | 'mayProbe'>;

function inPublic(
  { canaryUrls = [], nameServers, allowPrivate = false }: ReportContextOptions,
  userAgent: string,
): Surroundings {
  const resolver = systemResolver({ timeoutMs: RESOLVE_MS, servers: nameServers });
  const asked = { userAgent, guard: allowPrivate ? () => null : undefined };
  return {
    prober: createProber({ ...asked, resolver: cachedResolver(resolver) }),
    canaries: { urls: canaryUrls, prober: createProber({ ...asked, resolver }) },
    hostSuffix: null,
  };
}

function inWorld(world: LocalWorld, userAgent: string): Surroundings {
  const { resolver, ca, hostSuffix, frozenAt } = world;
  let readAt = performance.now();
  return {
    prober: createProber({ resolver, ca: [ca], userAgent }),
    hostSuffix,
    mayProbe: async () => {
      if (performance.now() - readAt > WORLD_MAX_AGE_MS) {
        readAt = performance.now();
        // A sandbox that is gone answers no probe either.
        await world.refresh().catch(() => undefined);
      }
      // While it lives through its past, the present has not come yet.
      return frozenAt() === null;
    },
  };
}
