import type { EntryFields, Envelope } from '../../challenge/envelope.ts';
import type { ObservedLimit } from '../../facilitators/facilitator-row.ts';
import type { FacilitatorId } from '../../facilitators/facilitator-table.ts';
import { FACILITATOR_ROWS, settlesOn } from '../../facilitators/facilitators.ts';
import { quote } from '../../json/untrusted-json.ts';
import { parseAmount } from '../../networks/money.ts';
import { checkEachEntry, type Outcome, type Rule, type RuleInput } from '../rule.ts';

/** Limit of one facilitator. */
interface FacilitatorLimit<T> extends ObservedLimit<T> {
  readonly id: FacilitatorId;
  readonly name: string;
}

const DESCRIPTION_LIMITS = FACILITATOR_ROWS.flatMap(([id, { name, limits }]): FacilitatorLimit<number>[] =>
  limits?.description === undefined ? [] : [{ id, name, ...limits.description }],
);
const AMOUNT_LIMITS = FACILITATOR_ROWS.flatMap(([id, { name, limits }]): FacilitatorLimit<bigint>[] =>
  limits?.amount === undefined ? [] : [{ id, name, ...limits.amount }],
);

const MAX_DESCRIPTION_CHARS = Math.min(...DESCRIPTION_LIMITS.map(({ accepted }) => accepted));
const MIN_AMOUNT = AMOUNT_LIMITS.map(({ accepted }) => accepted).reduce((a, b) => (a > b ? a : b), 0n);

/** Returns true if the facilitator can settle payments of the option. */
function canSettle(id: FacilitatorId, { network, scheme, extra }: EntryFields): boolean {
  // Payments with a signing contract of their own, such as Circle Gateway, are settled by the owner of that contract.
  if (extra?.verifyingContract !== undefined || extra?.name === 'GatewayWalletBatched') return false;
  return typeof network === 'string' && typeof scheme === 'string' && settlesOn(id, network, scheme);
}

function canSettleAny(id: FacilitatorId, { entries }: Envelope): boolean {
  return entries.some((entry) => entry !== null && canSettle(id, entry.fields));
}

/** A value beyond the limit of a facilitator. */
interface Excess {
  readonly limit: FacilitatorLimit<unknown>;
  /** True if the facilitator is known to refuse the value. */
  readonly isRefused: boolean;
  readonly message: string;
}

/**
 * Judges a value beyond the limit of a facilitator by the facilitators of recent payments.
 *
 * - Only other facilitators settled payments: the limit does not concern the seller.
 * - Nothing is known, or several facilitators settled payments: a discoverable warning, which lowers no score, because the
 *   seller may use a facilitator without this limit.
 * - Only this facilitator settled payments: a payable error if the facilitator refuses every payment with this value. If
 *   the server can change the value before it asks the facilitator, the finding is a payable warning: many sellers with
 *   such values are paid.
 */
function judgeExcess(
  { limit, isRefused, message }: Excess,
  settledThrough: RuleInput['settledThrough'],
): Outcome {
  if (settledThrough.length > 0 && !settledThrough.includes(limit.id)) return 'pass';
  if (settledThrough.length !== 1 || !isRefused) return { message };
  return {
    message: `${message} ${limit.name} settled the recent payments to this seller.`,
    axis: 'payable',
    severity: limit.isAvoidable ? 'warning' : 'error',
  };
}

/**
 * Counts the description in code points. No source says whether facilitators count code points or UTF-16 code units. The
 * number of code points is never the larger one, so a description that fails here is too long in both.
 */
function checkDescription({ v2, settledThrough }: RuleInput): Outcome {
  const description = v2?.resource?.description;
  if (v2 === null || typeof description !== 'string') return 'skip';
  const limits = DESCRIPTION_LIMITS.filter(({ id }) => canSettleAny(id, v2));
  const length = Array.from(description).length;
  const limit = limits.find(({ accepted }) => length > accepted);
  if (limit === undefined) return limits.length === 0 ? 'skip' : 'pass';
  const { name, accepted, refused } = limit;
  const message = `resource.description has ${String(length)} characters. In tests, the ${name} facilitator accepted payments with ${String(accepted)} characters and refused payments with ${String(refused)}.`;
  return judgeExcess({ limit, isRefused: length >= refused, message }, settledThrough);
}

function checkAmount(fields: EntryFields, settledThrough: RuleInput['settledThrough']): Outcome {
  const amount = typeof fields.amount === 'string' ? parseAmount(fields.amount) : null;
  // The tests of the limit used the scheme `exact`. The rule `v2-amount-positive` reports an amount of zero.
  if (amount === null || amount === 0n || fields.scheme !== 'exact') return 'skip';
  const limits = AMOUNT_LIMITS.filter(({ id }) => canSettle(id, fields));
  const limit = limits.find(({ accepted }) => amount < accepted);
  if (limit === undefined) return limits.length === 0 ? 'skip' : 'pass';
  const { name, accepted, refused } = limit;
  const message = `amount is ${quote(fields.amount)}. In tests, the ${name} facilitator accepted payments of ${String(accepted)} atomic units and refused payments of ${String(refused)}.`;
  return judgeExcess({ limit, isRefused: amount <= refused, message }, settledThrough);
}

/** Rules for the limits within which facilitators verify payments. */
export const FACILITATOR_RULES: readonly Rule[] = [
  {
    id: 'facilitator-description',
    level: ['discoverable', 'warning'],
    requirement: 'resource.description is not longer than the facilitator of the seller accepts.',
    fix: `Shorten resource.description to at most ${String(MAX_DESCRIPTION_CHARS)} characters.`,
    reference: { source: 'REPORTS', clause: 'issues 2785 and 2832' },
    check: checkDescription,
  },
  {
    id: 'facilitator-amount',
    level: ['discoverable', 'warning'],
    requirement: 'Every amount is at least the minimum of the facilitator of the seller.',
    fix: `Request at least ${String(MIN_AMOUNT)} atomic units (0.001 USDC), or use a facilitator without this minimum.`,
    reference: { source: 'REPORTS', clause: 'issues 1023 and 1171' },
    check: ({ v2, settledThrough }) =>
      checkEachEntry(v2, ({ fields }) => checkAmount(fields, settledThrough)),
  },
];
