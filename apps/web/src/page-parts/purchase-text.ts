import { formatCount, formatMs, formatUsd } from '@touchstone/common';
import type { PurchaseOutcome } from '@touchstone/contract';
import type { Snapshot } from '@touchstone/store';
import type { MarkKind } from './state-mark.tsx';

/** Outcome of a test purchase for people. */
interface OutcomeText {
  readonly kind: MarkKind;
  readonly label: string;
  /** Rule of the outcome, as a sentence. */
  readonly meaning: string;
}

/** Outcomes of test purchases for people. */
export const OUTCOME_TEXTS: Readonly<Record<PurchaseOutcome, OutcomeText>> = {
  delivered: {
    kind: 'good',
    label: 'Delivered',
    meaning:
      'Charged. The status was 2xx, and the body was not empty. If the endpoint declares a schema of its output, the body matched it.',
  },
  'wrong-body': {
    kind: 'warn',
    label: 'Wrong body',
    meaning:
      'Charged. The status was 2xx, and the body was empty, incomplete, or did not match the declared schema.',
  },
  'paid-not-delivered': {
    kind: 'bad',
    label: 'Paid, not delivered',
    meaning: 'Charged. The status was neither 2xx nor 402, or the connection closed without a response.',
  },
  'pay-again': {
    kind: 'bad',
    label: 'Asked to pay again',
    meaning: 'Charged. The response asked for another payment with status 402.',
  },
  free: {
    kind: 'info',
    label: 'Free',
    meaning: 'Not charged. The status was 2xx.',
  },
  'refused-uncharged': {
    kind: 'info',
    label: 'Refused, not charged',
    meaning: 'Not charged. The endpoint refused the payment.',
  },
  late: {
    kind: 'warn',
    label: 'Late',
    meaning: 'Charged. The response needed more than 20 seconds, or was not complete after 60 seconds.',
  },
  unclear: {
    kind: 'off',
    label: 'Unclear',
    meaning:
      'This service cannot tell what happened, for example because the request may lack an undeclared input. It counts neither for nor against the endpoint.',
  },
};

/** Returns the path of the signed record of a published purchase. */
export function toPurchasePath(id: string): string {
  return `/v1/purchases/${id}`;
}

type Answer = Pick<
  NonNullable<NonNullable<Snapshot['delivery']>['last']>,
  'httpStatus' | 'bodyBytes' | 'schemaFindings' | 'totalMs' | 'outcome'
>;

/** Formats status and duration of a response: `200 in 820 ms`. */
export function formatResponse({ httpStatus, totalMs }: Pick<Answer, 'httpStatus' | 'totalMs'>): string {
  if (httpStatus === null) return 'no response';
  return totalMs === null ? String(httpStatus) : `${String(httpStatus)} in ${formatMs(totalMs)}`;
}

/** Describes a test purchase in a part of a sentence: `$0.01, 200 in 820 ms, as declared`. */
export function describePurchase({ amountUsd, ...answer }: Answer & { readonly amountUsd: string }): string {
  return `${formatUsd(amountUsd)}, ${describeAnswer(answer)}`;
}

function describeAnswer(answer: Answer): string {
  const { outcome, httpStatus, schemaFindings } = answer;
  const response = formatResponse(answer);
  const answered = httpStatus === null ? 'sent no response' : `answered ${String(httpStatus)}`;
  switch (outcome) {
    case 'delivered':
      return schemaFindings === null ? `${response}, with a body` : `${response}, as declared`;
    case 'wrong-body':
      return `${response}, but the body was ${describeFault(answer)}`;
    case 'late':
      return httpStatus === null
        ? 'the payment was taken and no complete response came within 60 seconds'
        : `the payment was taken and the response was late: ${response}`;
    case 'paid-not-delivered':
      return `the payment was taken and the endpoint ${answered}`;
    case 'pay-again':
      return 'the payment was taken and the endpoint asked for another one';
    case 'free':
      return `${response}, and the payment was not taken`;
    case 'refused-uncharged':
      return `the endpoint ${answered} and did not take the payment`;
    case 'unclear':
      return 'but this service cannot tell what happened';
  }
}

/** Describes what is wrong with the body of a 2xx response. */
function describeFault({ bodyBytes, schemaFindings }: Answer): string {
  if (bodyBytes === 0) return 'empty';
  return schemaFindings === null || schemaFindings === 0 ? 'incomplete' : 'not as declared';
}

/** Describes the outcomes that buyers report; null without a report. */
export function describeBuyers({
  delivered,
  failed,
}: NonNullable<Snapshot['delivery']>['buyers']): string | null {
  if (delivered + failed === 0) return null;
  const success =
    delivered === 0
      ? 'No buyer reports'
      : `${formatCount(delivered, 'buyer')} ${delivered === 1 ? 'reports' : 'report'}`;
  const failure =
    failed === 0 ? 'none reports' : `${formatCount(failed)} ${failed === 1 ? 'reports' : 'report'}`;
  return `${success} delivery, ${failure} a failure`;
}
