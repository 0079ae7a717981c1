import type { TrustReport } from '@touchstone/contract';
import type { PipelineContext } from '../context.ts';
import type { ReportProblem } from '../problem.ts';
import type { FirstContacts } from './first-contacts.ts';

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
}

/** Unsigned report. */
interface ReportMade {
  readonly kind: 'report';
  readonly report: TrustReport;
}

/** Report, or the reason why there is none. */
export type ReportOutcome = ReportMade | ReportProblem;
