import type { Entry } from '../../challenge/envelope.ts';
import { hasOwnDomain } from '../../challenge/own-domain.ts';
import { CDP_LIMITS } from '../../facilitators/documented-facts.ts';
import type { ObservedLimit } from '../../facilitators/facilitator-row.ts';
import { settlesOn } from '../../facilitators/facilitators.ts';
import { quote } from '../../json/untrusted-json.ts';
import { parseAmount } from '../../networks/money.ts';
import {
  checkEachV2Option,
  passIf,
  type NotEvaluated,
  type Outcome,
  type Rule,
  type RuleInput,
} from '../rule.ts';

/** Returns true if CDP can settle payments of the option. Only the owner of another contract settles for it. */
function canCdpSettle({ network, scheme, asset, extra }: Entry): boolean {
  if (typeof network !== 'string' || typeof scheme !== 'string') return false;
  return settlesOn('coinbase', network, scheme) && !hasOwnDomain({ asset, extra }, network);
}

function describeLimit({ accepted, refused, readOn }: ObservedLimit, unit: string): string {
  return `Sellers reported that the CDP facilitator accepts ${String(accepted)} ${unit} and refuses ${String(refused)} (reports read on ${readOn}).`;
}

/**
 * Checks the length of the description in code points. No source says whether CDP counts code points or UTF-16 code
 * units. The number of code points is never the larger one, so a description that fails here is too long in both.
 *
 * The finding is a discoverable warning, which lowers no score, because the seller may use another facilitator. If CDP
 * alone settled the recent payments, it is a payable warning. It is never an error, because most sellers with longer
 * descriptions are paid.
 */
function checkDescription({ v2, settledThrough }: RuleInput): Outcome | NotEvaluated {
  const description = v2?.resource?.description;
  if (typeof description !== 'string' || !v2?.entries.some((entry) => entry && canCdpSettle(entry)))
    return 'skip';
  const limit = CDP_LIMITS.description;
  const length = Array.from(description).length;
  if (length <= limit.accepted) return 'pass';
  if (usesOtherFacilitators(settledThrough)) return NOT_SETTLED_BY_CDP;
  const message = `resource.description has ${String(length)} characters. ${describeLimit(limit, 'characters')}`;
  if (settledThrough.length !== 1) return { message };
  return { message: `${message} CDP settled the recent payments to this seller.`, axis: 'payable' };
}

/** Returns true if facilitators other than CDP settled all recent payments to the seller. */
function usesOtherFacilitators(settledThrough: readonly string[]): boolean {
  return settledThrough.length > 0 && !settledThrough.includes('coinbase');
}

const NOT_SETTLED_BY_CDP: NotEvaluated = {
  skipReason:
    'Other facilitators than CDP settled the recent payments to this seller, so its limits do not matter.',
};

function checkAmounts(input: RuleInput): Outcome | NotEvaluated {
  const outcome = checkEachV2Option(checkAmount)(input);
  const isFailure = typeof outcome === 'object';
  return isFailure && usesOtherFacilitators(input.settledThrough) ? NOT_SETTLED_BY_CDP : outcome;
}

function checkAmount(fields: Entry): Outcome {
  const amount = typeof fields.amount === 'string' ? parseAmount(fields.amount) : null;
  // The reports concern the scheme `exact`. The rule `v2-amount-positive` reports an amount of zero.
  if (!amount || fields.scheme !== 'exact' || !canCdpSettle(fields)) return 'skip';
  return passIf(
    amount >= CDP_LIMITS.amount.accepted,
    () =>
      `amount is ${quote(fields.amount)}. ${describeLimit(CDP_LIMITS.amount, 'atomic units on Base Sepolia')}${amount > CDP_LIMITS.amount.refused ? ' There is no report on amounts between these two.' : ''}`,
  );
}

/** Rules for the limits within which the CDP facilitator verifies payments. */
export const FACILITATOR_RULES: readonly Rule[] = [
  {
    id: 'facilitator-description',
    level: ['discoverable', 'warning'],
    requirement: 'resource.description is not longer than the CDP facilitator accepts.',
    fix: `Shorten resource.description to at most ${String(CDP_LIMITS.description.accepted)} characters.`,
    reference: { source: 'REPORTS', clause: 'issues 2785 and 2832' },
    check: checkDescription,
  },
  {
    id: 'facilitator-amount',
    level: ['discoverable', 'warning'],
    requirement: 'Every amount is at least the minimum of the CDP facilitator.',
    fix: `Request at least ${String(CDP_LIMITS.amount.accepted)} atomic units (0.001 USDC), or use a facilitator without this minimum.`,
    reference: { source: 'REPORTS', clause: 'issues 1023 and 1171' },
    check: checkAmounts,
  },
];
