import type { EndpointCheck } from '@touchstone/contract/operations/check/response';
import { describeRecommendation } from '@touchstone/ui';

type Outcome = EndpointCheck['outcome'];

/** Label of an outcome, and the recommendation that has the same color and icon. */
const OUTCOMES = {
  pays: ['Payable', 'proceed'],
  setting: ['Payable with a setting', 'caution'],
  lost: ['Payments are lost', 'avoid'],
  refused: ['Not payable', 'avoid'],
  free: ['No payment required', 'free'],
  unreachable: ['Unreachable', 'avoid'],
  unknown: ['Not determined', 'unverified'],
} as const satisfies Readonly<Record<Outcome, readonly [string, string]>>;

/** Label of a payable endpoint with an error, which may stop some of the clients that the check does not know. */
const WITH_ERRORS = ['Payable with errors', 'caution'] as const;

/** Returns the label, the icon and the colors of the outcome of a check. */
export function describeOutcome({ outcome, faults }: Pick<EndpointCheck, 'outcome' | 'faults'>) {
  const hasErrors = faults.some(({ severity, axis }) => severity === 'error' && axis === 'payable');
  const [label, recommendation] = outcome === 'pays' && hasErrors ? WITH_ERRORS : OUTCOMES[outcome];
  return { ...describeRecommendation(recommendation), label };
}

/** Labels of all outcomes. */
export const OUTCOME_LABELS: readonly string[] = [...Object.values(OUTCOMES), WITH_ERRORS].map(
  ([label]) => label,
);
