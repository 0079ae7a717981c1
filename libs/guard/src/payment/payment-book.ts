import { formatDecimal, formatTimestamp } from '@touchstone/common';
import { readText } from '@touchstone/x402/json';
import { type Decision, PaymentRefusedError, type Reason } from '../decision/decision.ts';
import { toPriceUsd } from '../decision/offered-token.ts';
import type { Policy } from '../decision/policy.ts';
import type { Journal, JournalEntry } from '../ledger/journal.ts';
import { JournalLedger } from '../ledger/ledger.ts';
import type { PaymentDraft } from '../ledger/limits.ts';
import { reserve } from '../ledger/reserve.ts';
import { type PaidResponse, readDelivery } from '../outcome/outcome.ts';
import { readPaymentTerms } from '../payment-terms.ts';
import { removeOldest } from '../remove-oldest.ts';
import { startTimer } from '../timer.ts';
import type { Trace } from '../trace/trace.ts';
import { decodeHeader } from './challenge.ts';
import { type PaidRequest, toRequestKey } from './request-key.ts';
import { findEnd, readSignedPayment, type SignedPayment } from './signed-payment.ts';

/** Signed payment that the policy allows by its terms. */
export interface CheckedPayment {
  readonly decision: Decision;
  readonly signed: SignedPayment;
  /** Header with the payment. */
  readonly header: string;
  /** Challenge that the payment answers; null if it is not known. */
  readonly challenge: string | null;
}

/** Payment that may be sent. */
export interface AllowedPayment {
  /** Id of the payment in the journal. */
  readonly id: string;
  /** Header to send: the new payment, or an earlier payment of the same request. */
  readonly header: string;
  readonly signed: SignedPayment;
  readonly decision: Decision;
  /** True if an earlier payment is sent again. */
  readonly isResent: boolean;
}

export interface BookOptions {
  readonly journal: Journal;
  readonly policy: Policy;
  readonly now: () => number;
  readonly trace: Trace | undefined;
  /** Receives a decision that earlier payments made stricter. */
  readonly onDecision: (decision: Decision) => void;
}

/** Maximum length of a challenge in the journal, in characters. A longer challenge is left out. */
const MAX_CHALLENGE_CHARS = 8_192;

/** Maximum number of payments of hooks that wait for their responses. The oldest ones are forgotten. */
const MAX_HOOKED = 1_000;

/** Time after the headers of a response for which the guard waits for the end of its body, in milliseconds. */
const UNREAD_AFTER_MS = 30_000;

/** Latest time that a `Date` can have (ECMAScript, section "Time Values and Time Range"). */
const MAX_DATE_MS = 8_640_000_000_000_000;

/** Payments of all guards and processes that share a journal. */
export class PaymentBook {
  readonly #state: JournalLedger;
  /** Functions that end the wait for a body, with their timers. */
  readonly #unfinished = new Map<() => void, ReturnType<typeof setTimeout>>();
  readonly #options: BookOptions;
  /** Ids of payments that hooks recorded and whose responses are missing, by their headers. */
  readonly #hooked = new Map<string, string>();
  readonly #recording = new Set<Promise<void>>();
  readonly #tracing = new Set<Promise<void>>();

  constructor(options: BookOptions) {
    this.#options = options;
    this.#state = new JournalLedger(options.journal);
  }

  /**
   * Records a payment before it is sent, or finds the earlier payment that is sent in its place.
   *
   * @param canResend false if the caller cannot replace the payment
   * @throws PaymentRefusedError if earlier payments forbid the payment, or the journal cannot be used
   */
  async reserve(payment: CheckedPayment, request: PaidRequest, canResend = true): Promise<AllowedPayment> {
    await this.waitForRecords();
    const { decision, signed, header } = payment;
    const hooked = canResend ? this.#hooked.get(header) : undefined;
    // A wrapper judges again what a hook recorded before, and the payment counts once.
    if (hooked !== undefined && this.forgetHooked(header)) await this.#cancel(hooked);
    const { policy, now, trace } = this.#options;
    const draft = createDraft(payment, request, { key: await toRequestKey(request), now: now() });
    const reservation = await reserve(this.#state, draft, { policy, now, canResend, trace }).catch(
      (error: unknown) => this.#refuse(decision, [toJournalReason(error)]),
    );
    if (reservation.kind === 'refused') return this.#refuse(decision, reservation.reasons);
    const { id } = reservation;
    if (reservation.kind === 'resend') {
      const earlier = readSignedPayment(reservation.header) ?? signed;
      const resent = this.#warn(decision, [...decision.reasons, RESENT]);
      return { id, header: reservation.header, signed: earlier, decision: resent, isResent: true };
    }
    if (!canResend) this.#rememberHooked(header, id);
    const sent = { id, header, signed, isResent: false };
    if (reservation.reasons.length === decision.reasons.length) return { ...sent, decision };
    try {
      return { ...sent, decision: this.#warn(decision, reservation.reasons) };
    } catch (error) {
      // The payment never leaves this machine, so it must not count.
      await this.#cancel(id);
      throw error;
    }
  }

  /** Forgets a payment of a hook. Returns false if a wrapper has recorded it again. */
  forgetHooked(header: string): boolean {
    return this.#hooked.delete(header);
  }

  #rememberHooked(header: string, id: string): void {
    this.#hooked.set(header, id);
    removeOldest(this.#hooked, MAX_HOOKED);
  }

  async #cancel(id: string): Promise<void> {
    await this.#append([
      { kind: 'status', id, at: this.#formatNow(), state: 'cancelled', transaction: null },
    ]);
  }

  #warn(decision: Decision, reasons: readonly Reason[]): Decision {
    const warned: Decision = { ...decision, action: 'warn', reasons };
    this.#options.onDecision(warned);
    return warned;
  }

  /**
   * Records the response to a payment. After a response without a delivery, asks the chain for the state of the
   * payment, without a delay of the response. Never rejects: the request is paid, so its response must reach the program.
   */
  async record(id: string, response: PaidResponse): Promise<void> {
    const delivered = readDelivery(response);
    const transaction = readTransaction(response?.paymentResponse ?? null);
    const entry = {
      kind: 'response',
      id,
      httpStatus: response?.status ?? null,
      delivered,
      transaction,
    } as const;
    const recording = this.#append([{ ...entry, at: this.#formatNow() }]);
    this.#recording.add(recording);
    await recording;
    this.#recording.delete(recording);
    if (delivered !== false) return;
    const tracing = this.#trace(id).finally(() => this.#tracing.delete(tracing));
    this.#tracing.add(tracing);
  }

  /** Waits until the responses so far are recorded. */
  async waitForRecords(): Promise<void> {
    await Promise.all(this.#recording);
  }

  /** Records that the outcome of a payment was reported to the service. */
  async recordReport(id: string): Promise<void> {
    await this.#append([{ kind: 'report', id, at: this.#formatNow() }]);
  }

  /** Records a decision that refused a payment by its terms. */
  async recordRefusal(decision: Decision, { method }: Pick<PaidRequest, 'method'>): Promise<void> {
    const terms = readPaymentTerms(decision.payment);
    if (terms === null) return;
    const { resource, network, asset, payTo } = terms;
    const { action, reasons, payment } = decision;
    const price = { amount: payment.amount, amountUsd: toUsd(decision) };
    const shown = { resource, network, asset, payTo, scheme: payment.scheme ?? '', ...price };
    await this.#append([
      { kind: 'refusal', at: this.#formatNow(), request: null, method, ...shown, action, reasons },
    ]);
  }

  /** Returns true if the journal has a payment with an id. */
  async has(id: string): Promise<boolean> {
    return (await this.#state.refresh(this.#options.now())).get(id) !== null;
  }

  /**
   * Remembers a function that ends the wait for a body. The function is called after half a minute, because a program may
   * not read the body, and by `settle`.
   */
  rememberBody(finish: () => void): void {
    this.#unfinished.set(finish, startTimer(finish, UNREAD_AFTER_MS));
  }

  forgetBody(finish: () => void): void {
    clearTimeout(this.#unfinished.get(finish));
    this.#unfinished.delete(finish);
  }

  /** Ends the wait for bodies, and waits until the responses so far are recorded and their payments are traced. */
  async settle(): Promise<void> {
    for (const finish of this.#unfinished.keys()) finish();
    await this.waitForRecords();
    await Promise.all(this.#tracing);
  }

  async #trace(id: string): Promise<void> {
    const { trace, now } = this.#options;
    if (trace === undefined) return;
    const payment = await this.#state.refresh(now()).then(
      (ledger) => ledger.get(id),
      () => null,
    );
    if (payment === null) return;
    const status = await trace(payment).catch(() => null);
    if (status !== null) await this.#append([{ kind: 'status', id, at: this.#formatNow(), ...status }]);
  }

  async #append(entries: readonly JournalEntry[]): Promise<void> {
    await this.#options.journal.append(entries).catch(() => undefined);
  }

  #formatNow(): string {
    return formatTimestamp(this.#options.now());
  }

  #refuse(decision: Decision, reasons: readonly Reason[]): never {
    const refused: Decision = { ...decision, action: 'abort', reasons };
    this.#options.onDecision(refused);
    throw new PaymentRefusedError(refused);
  }
}

const RESENT: Reason = {
  code: 'payment-resent',
  action: 'warn',
  message:
    'The same request was paid before, and nothing was delivered. The earlier payment is sent again in place of a new one, so that only one payment can be settled.',
};

function toJournalReason(error: unknown): Reason {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The journal of payments cannot be used, so earlier payments are not known: ${cause}`;
  return { code: 'journal', action: 'abort', message };
}

function createDraft(
  { decision, signed, header, challenge }: CheckedPayment,
  { method }: PaidRequest,
  { key, now }: { readonly key: string | null; readonly now: number },
): PaymentDraft {
  const terms = readPaymentTerms(decision.payment);
  if (terms === null) throw new TypeError('An allowed payment has valid terms.');
  const { payment, summary, action, reasons } = decision;
  const { resource, network, asset, payTo, amount, signedAmount } = terms;
  const { from = '', nonce = '' } = signed.transfer ?? {};
  const validBefore = findEnd(signed, now);
  const price = toPriceUsd(terms, summary?.endpoint ?? null);
  const toText = (digits: bigint) => (price === null ? null : formatDecimal({ ...price, digits }));
  return {
    ...{ request: key, method, resource, scheme: payment.scheme ?? '', network, asset, payTo },
    ...{ amount: String(amount), amountUsd: toText(amount), action, reasons },
    ...{ signedAmount: String(signedAmount), signedUsd: toText(signedAmount) },
    payer: from === '' ? null : from,
    nonce: nonce === '' ? null : nonce,
    validBefore: validBefore === null ? null : toTime(validBefore),
    endpoint: summary?.endpoint?.resource ?? null,
    isUnknownHost: decision.isUnknownHost,
    header,
    challenge: challenge !== null && challenge.length <= MAX_CHALLENGE_CHARS ? challenge : null,
  };
}

/** Formats a time in seconds. A later time than dates can have becomes the latest date. */
function toTime(seconds: bigint): string {
  return formatTimestamp(Math.min(Number(seconds) * 1_000, MAX_DATE_MS));
}

function toUsd({ payment, summary }: Decision): string | null {
  const terms = readPaymentTerms(payment);
  const price = terms === null ? null : toPriceUsd(terms, summary?.endpoint ?? null);
  return price === null ? null : formatDecimal(price);
}

/** Returns the transaction that the seller names in the header `PAYMENT-RESPONSE`; null without one. */
function readTransaction(header: string | null): string | null {
  return header === null ? null : readText(decodeHeader(header), 'transaction');
}
