import type { Decision, ProposedPayment } from './decision.ts';
import type { PublicKeyJwk } from './keys.ts';
import type { PolicyOptions } from './policy.ts';

export interface GuardOptions {
  /** URL of the Touchstone service, for example `https://touchstone.example`. */
  readonly service: string;
  /** Pinned public keys of the service. Statements with another signature are refused. */
  readonly keys: readonly PublicKeyJwk[];
  readonly policy?: PolicyOptions;
  /**
   * Purchase of the paid report for payments above a price. `fetch` pays with x402 and must not be guarded by this guard.
   */
  readonly report?: { readonly aboveUsd: number; readonly fetch: typeof globalThis.fetch };
  /** Receives every decision. An error that it throws stops the payment. */
  readonly onDecision?: (decision: Decision) => void;
  /** Fetches the statements; default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Time for which a statement is reused, in seconds; default 300. */
  readonly cacheSeconds?: number;
  /** Maximum duration of one lookup, in milliseconds; default 3000. */
  readonly timeoutMs?: number;
  /** Returns the current time in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** Context of the hook `onBeforePaymentCreation` of an x402 client. Its members are untrusted. */
export interface PaymentContext {
  readonly paymentRequired: object;
  readonly selectedRequirements: object;
}

export interface Guard {
  /** Decides on one payment. Never rejects, except with an error of `onDecision`. */
  readonly check: (payment: ProposedPayment) => Promise<Decision>;
  /** Hook for `x402Client.onBeforePaymentCreation`. */
  readonly beforePayment: (
    context: PaymentContext,
  ) => Promise<undefined | { readonly abort: true; readonly reason: string }>;
  /**
   * Wraps a `fetch` function. The result throws `PaymentRefusedError` if no offer of a 402 response may be paid, and
   * before it sends a payment that must not be paid.
   */
  readonly wrapFetch: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

/** Error for a payment that the policy refuses. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
  readonly decision: Decision;

  constructor(decision: Decision) {
    super(decision.reasons.map(({ message }) => message).join(' '));
    this.decision = decision;
  }
}

/**
 * Creates a guard that checks payments against the signed observations of a Touchstone service.
 *
 * @throws TypeError for invalid options
 */
export function createGuard(options: GuardOptions): Guard {
  throw new Error(`Not implemented: ${options.service}`);
}
