import { formatTimestamp } from '@touchstone/common';
import { normalizeAddress } from '@touchstone/x402/networks';
import type { Reason } from '../decision/decision.ts';
import type { Trace } from '../trace/trace.ts';
import { judgeRequest } from './earlier-payment.ts';
import type { JournalEntry, RefusalEntry } from './journal.ts';
import { isTraceable, type JournalLedger, type Ledger, type LedgerPayment } from './ledger.ts';
import type { LimitPolicy } from './limit-policy.ts';
import { judgeLimits, type PaymentDraft } from './limits.ts';

export interface ReserveOptions {
  readonly policy: LimitPolicy;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** False if the program, and not the guard, sends the payment. Default true. */
  readonly canResend?: boolean | undefined;
  /**
   * Asks the chain for the state of an earlier payment without a delivery whose authorization has ended; null if the
   * chain cannot be asked. The guard waits for the result only before it refuses a payment.
   */
  readonly trace?: Trace | undefined;
}

/** `reasons`: reasons of the decision on the terms, and reasons that follow from earlier payments. */
export type Reservation =
  | { readonly kind: 'send'; readonly id: string; readonly reasons: readonly Reason[] }
  /** `header` is the payment to send in place of the new payment. */
  | { readonly kind: 'resend'; readonly id: string; readonly header: string }
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[] };

/** Maximum number of earlier payments whose state is asked for before one payment is refused. */
const MAX_TRACED = 5;
/** Minimum time between two requests for the state of one payment, in milliseconds. */
const TRACE_PAUSE_MS = 10_000;

/**
 * Decides by the earlier payments whether a signed payment may be sent, and appends the decision to the journal before
 * the payment leaves. All limits hold for all guards and processes that share the journal.
 *
 * @throws Error if the journal cannot be read or written
 */
export async function reserve(
  state: JournalLedger,
  draft: PaymentDraft,
  options: ReserveOptions,
): Promise<Reservation> {
  const { journal } = state;
  const { trace, now } = options;
  // The first reading of a long journal takes seconds, and other guards wait for the lock.
  await state.refresh(now());
  const first = await journal.exclusive(async () => {
    const ledger = await state.refresh(now());
    const judged = judge(ledger, draft, options);
    if (trace === undefined || !canChange(judged)) return commit(state, draft, { judged, now });
    const unclear = listUnclear(ledger, draft, { judged, now: now() });
    return unclear.length > 0 ? unclear : commit(state, draft, { judged, now });
  });
  if ('kind' in first) return first;
  // Other guards wait for the lock, so the lock is not held during requests.
  await journal.append(await traceAll(first, options));
  return journal.exclusive(async () => {
    const judged = judge(await state.refresh(now()), draft, options);
    return commit(state, draft, { judged, now });
  });
}

type Judged =
  | { readonly kind: 'send'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'resend'; readonly payment: LedgerPayment }
  | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly reasons: readonly Reason[];
}

function judge(
  ledger: Ledger,
  draft: PaymentDraft,
  { policy, now, canResend = true }: ReserveOptions,
): Judged {
  const facts = { policy, now: now(), canResend };
  const repeated = judgeRequest(ledger, draft, facts);
  if (repeated.kind === 'refused') return { kind: 'refused', reasons: [...draft.reasons, repeated.reason] };
  if (repeated.kind === 'resend') return repeated;
  const limits = judgeLimits(ledger, draft, facts);
  const isRefused = limits.some(({ action }) => action === 'abort');
  return { kind: isRefused ? 'refused' : 'send', reasons: [...draft.reasons, ...limits] };
}

/** Reasons that the state of earlier payments cannot change. */
const FIXED_CODES: readonly Reason['code'][] = [
  'repeated-request',
  'already-paid',
  'payment-open',
  'price-unknown',
];

/** Returns true for a refusal that may end when the state of earlier payments is known. */
function canChange(judged: Judged): judged is Refused {
  return judged.kind === 'refused' && !judged.reasons.some(({ code }) => FIXED_CODES.includes(code));
}

/** Appends a judgement to the journal. */
async function commit(
  { journal }: JournalLedger,
  draft: PaymentDraft,
  { judged, now }: { readonly judged: Judged; readonly now: () => number },
): Promise<Reservation> {
  const at = formatTimestamp(now());
  if (judged.kind === 'resend') {
    const { id, header } = judged.payment.entry;
    await journal.append([{ kind: 'resend', at, id }]);
    return { kind: 'resend', id, header };
  }
  const { reasons } = judged;
  if (judged.kind === 'refused') {
    await journal.append([{ ...pickTerms(draft), kind: 'refusal', at, action: 'abort', reasons }]);
    return { kind: 'refused', reasons };
  }
  const id = crypto.randomUUID();
  const action = reasons.some((reason) => reason.action === 'warn') ? 'warn' : draft.action;
  await journal.append([{ ...draft, kind: 'payment', at, id, action, reasons }]);
  return { kind: 'send', id, reasons };
}

type Terms = Omit<RefusalEntry, 'at' | 'kind' | 'action' | 'reasons'>;

function pickTerms(draft: PaymentDraft): Terms {
  const { request, method, resource, scheme, network, asset, payTo, amount, amountUsd } = draft;
  return { request, method, resource, scheme, network, asset, payTo, amount, amountUsd };
}

/**
 * Returns earlier payments that count although the chain may have let them expire. The payments of the same request, host
 * or recipient come first, because they are the likely cause of a refusal. Payments of earlier days count only in the
 * total budget.
 */
function listUnclear(
  ledger: Ledger,
  draft: PaymentDraft,
  { judged, now }: { readonly judged: Refused; readonly now: number },
): readonly LedgerPayment[] {
  const { hostname } = new URL(draft.resource);
  const address = normalizeAddress(draft.network, draft.payTo);
  const isUnclear = (payment: LedgerPayment) => {
    const { deliveredAt, state, stateAt, validBefore } = payment;
    return (
      isTraceable(payment) &&
      deliveredAt === null &&
      (state === null || state === 'open' || state === 'unknown') &&
      (stateAt === null || stateAt + TRACE_PAUSE_MS <= now) &&
      validBefore !== null &&
      validBefore <= now
    );
  };
  const isRelated = ({ host, recipient }: LedgerPayment) => host === hostname || recipient === address;
  const day = ledger.listLastDay(now);
  const ordered = [
    ...ledger.listByRequest(draft.request),
    ...day.filter(isRelated),
    ...day.filter((payment) => !isRelated(payment)),
    ...(judged.reasons.some(({ code }) => code === 'total-budget') ? ledger.payments : []),
  ];
  return [...new Set(ordered.filter(isUnclear))].slice(0, MAX_TRACED);
}

/** Asks for the state of payments. A failed request changes nothing. */
async function traceAll(
  payments: readonly LedgerPayment[],
  { trace, now }: ReserveOptions,
): Promise<readonly JournalEntry[]> {
  const traced = await Promise.all(
    payments.map(async (payment): Promise<JournalEntry[]> => {
      const status = await trace?.(payment).catch(() => null);
      if (!status) return [];
      return [{ kind: 'status', at: formatTimestamp(now()), id: payment.entry.id, ...status }];
    }),
  );
  return traced.flat();
}
