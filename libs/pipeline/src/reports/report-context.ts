import type { TrustReport } from '@touchstone/contract';
import type { PipelineContext } from '../context.ts';

/** External dependencies of trust reports. Keep it between requests: concurrent calls for one endpoint share a probe. */
export interface ReportContext extends Pick<
  PipelineContext,
  'db' | 'prober' | 'canaries' | 'rateLimiter' | 'now' | 'hostSuffix' | 'onChanged'
> {
  /** Address of the service that makes the reports. */
  readonly baseUrl: string;
  /** Location from which latency is measured, as the reports name it. */
  readonly vantage: string;
  /** Resolves to false while no endpoint may be probed; probes are always allowed without it. */
  readonly mayProbe?: () => Promise<boolean>;
}

/** Reason why there is no report. Nothing may be charged. */
export interface ReportProblem {
  readonly kind: 'problem';
  readonly code: 'invalid-request' | 'template-unresolved' | 'not-probeable' | 'internal';
  readonly detail: string;
  /** Parts of the request that have to change; only with `invalid-request`. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Unsigned report. */
export interface ReportMade {
  readonly kind: 'report';
  readonly report: TrustReport;
}

/** Report, or the reason why there is none. */
export type ReportOutcome = ReportMade | ReportProblem;
