/** Prediction of what a reference client does with a challenge. */
export interface PaymentPrediction {
  /** Reason why the client signs no payment; null when it signs one. */
  readonly refusal: string | null;
  /** Reason why the signed payment would fail or be lost; null without such a reason, and without a payment. */
  readonly settlementFailure: string | null;
}

/** Reason why no client pays a challenge without payment options. */
export const EMPTY_ACCEPTS = 'The list accepts is empty, so there is nothing to pay.';

/** Returns the prediction for a client that signs no payment. */
export function predictRefusal(refusal: string): PaymentPrediction {
  return { refusal, settlementFailure: null };
}

/** Prediction for a client that signs a payment which settles. */
const SETTLES: PaymentPrediction = { refusal: null, settlementFailure: null };

/**
 * Combines the predictions for several wallets to the most favourable one: a payment that settles, else a payment that
 * fails, else the given refusal.
 *
 * @param failures for each wallet that signs a payment, the reason why this payment would fail or be lost, or null
 * @param refusal reason that applies when no wallet signs a payment
 */
export function combineWallets(failures: readonly (string | null)[], refusal: string): PaymentPrediction {
  const [first] = failures;
  if (first === undefined) return predictRefusal(refusal);
  return failures.includes(null) ? SETTLES : { refusal: null, settlementFailure: first };
}
