import type { Reason } from '../decision/decision.ts';
import type { Action } from '../decision/policy.ts';

/** States of a payment on the chain, as `GET /v1/payment-status` names them. */
export const PAYMENT_STATES = ['settled', 'open', 'expired', 'cancelled', 'unknown'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Values that every refusal and payment states. The seller chooses the texts, so the texts are untrusted. */
interface TermsEntry {
  /** SHA-256 of method, URL and body in hex; null if the body or the method is not known. */
  readonly request: string | null;
  readonly method: string;
  /** URL without query, fragment and user info. */
  readonly resource: string;
  readonly scheme: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Price in atomic units of the token. */
  readonly amount: string;
  /** Price in US dollars; null if the token is unknown. */
  readonly amountUsd: string | null;
  readonly action: Action;
  readonly reasons: readonly Reason[];
}

/** Line of the journal. `at`: ISO 8601. `id`: id of the payment that the line is about. */
export type JournalEntry = { readonly at: string } & (
  | (TermsEntry & {
      /** Decision that refused a payment. */
      readonly kind: 'refusal';
    })
  | (TermsEntry & {
      /** Signed payment that is about to be sent. */
      readonly kind: 'payment';
      readonly id: string;
      /** Amount that the signature lets the seller take, in atomic units: more than the price for a batch deposit. */
      readonly signedAmount: string;
      readonly signedUsd: string | null;
      readonly payer: string | null;
      /** Nonce of the authorization: 32 bytes in hex (EIP-3009), or decimal digits (Permit2). */
      readonly nonce: string | null;
      /**
       * Time after which the payment can no longer be settled: ISO 8601. Null if the time is not known. For a transaction
       * of Solana, the guard computes a maximum.
       */
      readonly validBefore: string | null;
      /** Endpoint that Touchstone found for the URL, for reports of the outcome; null if Touchstone knows no endpoint. */
      readonly endpoint: string | null;
      /** True if Touchstone knows no endpoint of the public host. */
      readonly isUnknownHost: boolean;
      /** Header with the signed payment, which is sent again in place of a second payment. */
      readonly header: string;
      /** Challenge that the payment answers; null if the challenge is not known, or too long to keep. */
      readonly challenge: string | null;
    })
  | {
      /** The payment was sent again, in place of a second payment. */
      readonly kind: 'resend';
      readonly id: string;
    }
  | {
      readonly kind: 'response';
      readonly id: string;
      /** Null without a response, and for a response without a status. */
      readonly httpStatus: number | null;
      /** Null if it is not known whether the response is a delivery. */
      readonly delivered: boolean | null;
      /** Transaction that the seller names in `PAYMENT-RESPONSE`; a claim of the seller. */
      readonly transaction: string | null;
    }
  | {
      readonly kind: 'status';
      readonly id: string;
      readonly state: PaymentState;
      readonly transaction: string | null;
    }
  | {
      /** The outcome was reported to Touchstone. */
      readonly kind: 'report';
      readonly id: string;
    }
  | {
      /** Start of a journal whose earlier entries are no longer kept. A reader forgets all entries before this one. */
      readonly kind: 'carried';
      /** Sum of the earlier payments, in US dollars. */
      readonly signedUsd: string;
    }
);

export type RefusalEntry = Extract<JournalEntry, { readonly kind: 'refusal' }>;
export type PaymentEntry = Extract<JournalEntry, { readonly kind: 'payment' }>;

interface JournalPart {
  readonly entries: readonly JournalEntry[];
  readonly position: number;
}

/**
 * Append-only list of entries that several guards and processes share. The guard computes all limits from the entries.
 * `createMemoryJournal` and `createFileJournal` create journals; a program can implement a journal with its own database.
 */
export interface Journal {
  /**
   * Runs `task` while no other guard or process runs a task of this journal. Rejects if the lock cannot be taken. The
   * task may call `read` and `append`, but not `exclusive`.
   */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /**
   * Returns entries after a position, oldest first, and the position after the last one. The position 0 is before all
   * entries; other positions are values that an earlier call returned. A long journal returns a part of the entries, and
   * the next part for the next position. Only the end of the journal has no entries.
   */
  readonly read: (position: number) => Promise<JournalPart>;
  /** Appends entries durably: when the promise resolves, the entries survive a kill of the process. */
  readonly append: (entries: readonly JournalEntry[]) => Promise<void>;
}

/** Reads all entries after a position, part by part. */
export async function* readParts(journal: Pick<Journal, 'read'>, start = 0): AsyncGenerator<JournalPart> {
  for (
    let part = await journal.read(start);
    part.entries.length > 0;
    part = await journal.read(part.position)
  ) {
    yield part;
  }
}
