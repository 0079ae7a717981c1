import type { TrustReport } from '@touchstone/contract';
import type { PipelineContext } from './context.ts';

/** What a report that is sold needs from outside. To be held over requests: calls that come together share a probe. */
export interface ReportContext extends Pick<
  PipelineContext,
  'db' | 'prober' | 'canaries' | 'manners' | 'now' | 'hostSuffix' | 'onChanged'
> {
  /** Address of the service that makes the reports. */
  readonly baseUrl: string;
  /** Whether anybody is to be asked at present; always unless given. */
  readonly mayProbe?: () => Promise<boolean>;
}

/** Why there is no report; nothing is to be charged then. */
export interface ReportProblem {
  readonly kind: 'problem';
  readonly code: 'invalid-request' | 'template-unresolved' | 'not-probeable' | 'internal';
  readonly detail: string;
  /** Which part of the request has to change; with `invalid-request` alone. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** A report that is not signed yet. */
export interface ReportMade {
  readonly kind: 'report';
  readonly report: TrustReport;
  /**
   * Takes back that the endpoint was adopted for this report, to be called where it is not paid for after all; it goes where
   * nobody else's report depends on it. Null where nothing was adopted. May be called again, which does nothing.
   */
  readonly undo: (() => Promise<void>) | null;
}

/** A report, or why there is none. */
export type ReportOutcome = ReportMade | ReportProblem;
