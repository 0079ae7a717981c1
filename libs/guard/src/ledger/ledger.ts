import { DAY_MS, parseDecimal } from '@touchstone/common';
import { normalizeAddress } from '@touchstone/x402/networks';
import { add, type Decimal, subtract, ZERO } from '../decimal.ts';
import {
  type Journal,
  type JournalEntry,
  type PaymentEntry,
  type PaymentState,
  readParts,
} from './journal.ts';
import { MAX_MEMORY_SECONDS } from './limit-policy.ts';
import { createMutex } from './mutex.ts';

/** Payment with all that the journal has about the payment. Times are in milliseconds since 1970. */
export interface LedgerPayment {
  /** Without header and challenge once the payment was delivered, has expired or was cancelled. */
  readonly entry: PaymentEntry;
  readonly at: number;
  /** Host name of the URL, without the port. */
  readonly host: string;
  /** Normalized address. */
  readonly recipient: string;
  readonly signedUsd: Decimal | null;
  /** Time after which the payment can no longer be settled; null if the time is not known. */
  readonly validBefore: number | null;
  /** Latest known state; null before the first status. A settled payment stays settled. */
  readonly state: PaymentState | null;
  readonly stateAt: number | null;
  /** Transaction that the chain names, or else the seller; null for text that is not a transaction. */
  readonly transaction: string | null;
  /** Time and status of the latest response; the status is null without a response. */
  readonly respondedAt: number | null;
  readonly httpStatus: number | null;
  /** True if the latest response does not tell whether it is a delivery. */
  readonly isUnclear: boolean;
  /** Time of the first delivery. */
  readonly deliveredAt: number | null;
  /** Number of times that the payment was sent again after it was known to be settled. */
  readonly resendsAfterSettlement: number;
  /** True if the payment was sent again in place of a new one. */
  readonly isResent: boolean;
  /** True if the outcome was reported to Touchstone. */
  readonly isReported: boolean;
}

type PaymentUpdate = Exclude<JournalEntry, { readonly kind: 'payment' | 'refusal' | 'carried' }>;
type Mutable = { -readonly [Name in keyof LedgerPayment]: LedgerPayment[Name] };

/** Time for which a ledger keeps single payments, in milliseconds. */
export const KEPT_MS = MAX_MEMORY_SECONDS * 1_000;
/** Pattern of a transaction. The seller may send any text, and the text appears in messages. */
const TRANSACTION = /^[0-9A-Za-z]{1,128}$/;

/** State of a journal, computed entry by entry. */
export class Ledger {
  readonly #payments = new Map<string, Mutable>();
  readonly #requests = new Map<string, Mutable[]>();
  #day: Mutable[] = [];
  #total = ZERO;
  #forgotten = ZERO;

  /** All payments that the ledger remembers, oldest first. */
  get payments(): Iterable<LedgerPayment> {
    return this.#payments.values();
  }

  /** Sum in US dollars of all payments of the journal that count. */
  get totalUsd(): Decimal {
    return this.#total;
  }

  /** Sum in US dollars of the payments that the ledger no longer remembers one by one. */
  get forgottenUsd(): Decimal {
    return this.#forgotten;
  }

  get(id: string): LedgerPayment | null {
    return this.#payments.get(id) ?? null;
  }

  /** Returns the payments of a request, oldest first. `request`: key of the request; null for an unknown key. */
  listByRequest(request: string | null): readonly LedgerPayment[] {
    return request === null ? [] : (this.#requests.get(request) ?? []);
  }

  /** Returns the payments of the last 24 hours, oldest first. */
  listLastDay(now: number): readonly LedgerPayment[] {
    const isOld = ({ at }: LedgerPayment) => at <= now - DAY_MS;
    const [first] = this.#day;
    if (first !== undefined && isOld(first)) this.#day = this.#day.filter((payment) => !isOld(payment));
    return this.#day.filter((payment) => !isOld(payment));
  }

  add(entry: JournalEntry): void {
    if (entry.kind === 'payment') this.#addPayment(entry);
    else if (entry.kind === 'carried') this.#restart(entry.signedUsd);
    else if (entry.kind !== 'refusal') this.#update(entry);
  }

  /** Forgets payments that are older than `MAX_MEMORY_SECONDS`. These payments still count in the total. */
  prune(now: number): void {
    for (const [id, payment] of this.#payments) {
      if (payment.at > now - KEPT_MS) return;
      this.#payments.delete(id);
      if (isCounted(payment)) this.#forgotten = add(this.#forgotten, payment.signedUsd ?? ZERO);
      const { request } = payment.entry;
      const others = this.listByRequest(request).filter((other) => other !== payment);
      if (request === null) continue;
      if (others.length === 0) this.#requests.delete(request);
      else this.#requests.set(request, others);
    }
  }

  #restart(signedUsd: string): void {
    this.#payments.clear();
    this.#requests.clear();
    this.#day = [];
    this.#forgotten = parseDecimal(signedUsd) ?? ZERO;
    this.#total = this.#forgotten;
  }

  #addPayment(entry: PaymentEntry): void {
    // A second payment with the same id is an error of a journal. The second payment must count, too.
    const id = this.#payments.has(entry.id) ? `${entry.id} ${entry.at}` : entry.id;
    const payment: Mutable = {
      entry,
      at: Date.parse(entry.at),
      host: new URL(entry.resource).hostname,
      recipient: normalizeAddress(entry.network, entry.payTo),
      signedUsd: entry.signedUsd === null ? null : parseDecimal(entry.signedUsd),
      validBefore: entry.validBefore === null ? null : Date.parse(entry.validBefore),
      ...{ state: null, stateAt: null, transaction: null, respondedAt: null, httpStatus: null },
      ...{
        isUnclear: false,
        deliveredAt: null,
        resendsAfterSettlement: 0,
        isResent: false,
        isReported: false,
      },
    };
    this.#payments.set(id, payment);
    this.#day.push(payment);
    this.#total = add(this.#total, payment.signedUsd ?? ZERO);
    if (entry.request === null) return;
    const others = this.#requests.get(entry.request);
    if (others === undefined) this.#requests.set(entry.request, [payment]);
    else others.push(payment);
  }

  #update(entry: PaymentUpdate): void {
    const payment = this.#payments.get(entry.id);
    if (payment === undefined) return;
    const wasCounted = isCounted(payment);
    Object.assign(payment, toChanges(payment, entry));
    const isNowCounted = isCounted(payment);
    const usd = payment.signedUsd ?? ZERO;
    if (wasCounted && !isNowCounted) this.#total = subtract(this.#total, usd);
    if (!wasCounted && isNowCounted) this.#total = add(this.#total, usd);
    if (payment.deliveredAt !== null || !isNowCounted) {
      payment.entry = { ...payment.entry, header: '', challenge: null };
    }
  }
}

/** Returns false for a payment that the chain can no longer settle, because it expired or was cancelled. */
export function isCounted({ state }: LedgerPayment): boolean {
  return state !== 'expired' && state !== 'cancelled';
}

/** Returns true for a payment whose state the chain can be asked for. */
export function isTraceable({ entry: { nonce } }: LedgerPayment): boolean {
  return nonce !== null;
}

/** Returns the members of a payment that an entry changes. */
function toChanges(payment: LedgerPayment, entry: PaymentUpdate): Partial<LedgerPayment> {
  const at = Date.parse(entry.at);
  switch (entry.kind) {
    case 'report':
      return { isReported: true };
    case 'resend':
      return {
        isResent: true,
        resendsAfterSettlement: payment.resendsAfterSettlement + (payment.state === 'settled' ? 1 : 0),
      };
    case 'response':
      return {
        ...(payment.isResent && entry.delivered !== true
          ? toUncertain(payment, at)
          : { respondedAt: at, httpStatus: entry.httpStatus, isUnclear: entry.delivered === null }),
        deliveredAt: payment.deliveredAt ?? (entry.delivered === true ? at : null),
        transaction: payment.transaction ?? readTransaction(entry.transaction),
      };
    case 'status': {
      const transaction = readTransaction(entry.transaction) ?? payment.transaction;
      return { stateAt: at, state: toState(payment.state, entry.state), transaction };
    }
  }
}

/**
 * Returns the changes by a failed response to a payment that was sent again. A seller who settled the payment before may
 * rightly refuse it, so this response says nothing about the seller.
 */
function toUncertain({ respondedAt, httpStatus }: LedgerPayment, at: number): Partial<LedgerPayment> {
  return { respondedAt: respondedAt ?? at, httpStatus };
}

/** Returns the state after a status. A status without a certain state does not replace a certain state. */
function toState(earlier: PaymentState | null, state: PaymentState): PaymentState {
  if (earlier === 'settled') return earlier;
  const isCertain = state !== 'open' && state !== 'unknown';
  return isCertain || (earlier !== 'expired' && earlier !== 'cancelled') ? state : earlier;
}

function readTransaction(text: string | null): string | null {
  return text !== null && TRANSACTION.test(text) ? text : null;
}

/** Ledger of a journal that other guards and processes also write. */
export class JournalLedger {
  readonly ledger = new Ledger();
  readonly journal: Journal;
  readonly #runAlone = createMutex();
  #position = 0;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Reads the entries that were appended since the last call. */
  async refresh(now: number): Promise<Ledger> {
    // Two readers at the same time would add each entry twice.
    return this.#runAlone(async () => {
      for await (const { entries, position } of readParts(this.journal, this.#position)) {
        for (const entry of entries) this.ledger.add(entry);
        this.#position = position;
        this.ledger.prune(now);
      }
      this.ledger.prune(now);
      return this.ledger;
    });
  }
}
