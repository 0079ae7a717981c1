import type { PurchaseFailure } from '@touchstone/contract/shared/values';
import type { Probe } from '@touchstone/probe';

/** Phases before the request is sent. */
const UNSENT_PHASES: ReadonlySet<string> = new Set(['resolve', 'connect', 'tls']);

/** Returns the reason why the response to a paid request is missing or incomplete; null for a complete response. */
export function describeAnswerFailure({
  outcome,
  failure,
  bodyEnd,
}: Pick<Probe, 'outcome' | 'failure' | 'bodyEnd'>): PurchaseFailure | null {
  if (failure !== null && UNSENT_PHASES.has(failure.phase)) return 'not-sent';
  if (outcome === 'self-failure') return 'internal';
  switch (bodyEnd) {
    case 'size-limit':
    case 'too-long':
      return 'too-large';
    case 'deadline':
      return 'timeout';
    case 'closed':
      return 'closed';
    case 'undecodable':
      return 'invalid-response';
    default:
  }
  if (failure === null) return null;
  if (outcome === 'timeout') return 'timeout';
  return outcome === 'protocol-error' ? 'invalid-response' : 'closed';
}
