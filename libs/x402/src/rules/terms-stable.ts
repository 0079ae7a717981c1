import { offeredOptions, plainId } from './offers.ts';
import type { Outcome, Subject } from './rule.ts';
import { cleanText } from '../text.ts';
import type { PaymentOption } from '../types.ts';

const DESCRIPTION_LIMIT = 2_000;
const SAYS_DYNAMIC = /\b(dynamic|dynamically|variable|varies|floating)\b/i;

/**
 * Are two unpaid requests asked for the same? A server builds its terms again for the paid request and refuses
 * a payment made for other ones. What only `extra` says is not compared: it may hold a nonce. An amount that
 * changes by design weighs less: where the description says so, or every option is a ceiling only.
 */
export function checkTermsStable(subject: Subject): Outcome {
  const first = offeredOptions(subject);
  const again = subject.again ?? [];
  // A second answer without terms may be the rate limit's; it is no change of terms.
  if (first.length === 0 || again.length === 0) return 'skip';
  if (isSame(first, again, termsOf)) return 'pass';
  if (!isSame(first, again, fixedTermsOf)) {
    return {
      message: 'Two unpaid requests in a row were offered different terms, and not only different amounts.',
    };
  }
  const message = 'Two unpaid requests in a row were asked different amounts.';
  return isByDesign(subject, first) ? { message, severity: 'info' } : { message };
}

function fixedTermsOf({ scheme, network, asset, payTo, maxTimeoutSeconds }: PaymentOption): string {
  return JSON.stringify([scheme, network, plainId(asset), plainId(payTo), maxTimeoutSeconds]);
}

function termsOf(option: PaymentOption): string {
  return `${fixedTermsOf(option)} ${String(option.amount)}`;
}

/** The same options, as often, in any order. */
function isSame(
  ones: readonly PaymentOption[],
  others: readonly PaymentOption[],
  keyOf: (option: PaymentOption) => string,
): boolean {
  return JSON.stringify(ones.map(keyOf).toSorted()) === JSON.stringify(others.map(keyOf).toSorted());
}

function isByDesign({ v2, v1 }: Subject, options: readonly PaymentOption[]): boolean {
  const described = [
    v2?.resource?.description,
    ...(v1?.entries ?? []).map((entry) => entry?.fields.description),
  ];
  return (
    options.every(({ scheme }) => scheme === 'upto') ||
    described.some((text) => SAYS_DYNAMIC.test(cleanText(text, DESCRIPTION_LIMIT) ?? ''))
  );
}
