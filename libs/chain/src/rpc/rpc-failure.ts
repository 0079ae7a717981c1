/**
 * Kind of a failed RPC call, which decides the reaction.
 *
 * - `too-large`: the result would be too large. Request less.
 * - `slow`: the call timed out. Request less, or use another provider.
 * - `rate-limited`: the provider demands a pause. Retry later.
 * - `unavailable`: there was no usable response this time. Retry.
 * - `unusable`: the provider's responses cannot be used. Use another provider.
 */
export type RpcFailureKind = 'too-large' | 'slow' | 'rate-limited' | 'unavailable' | 'unusable';

/**
 * Thrown when a provider did not respond or its response was invalid. The message continues a sentence that starts with
 * the provider's label. It never contains the provider's URL, which may contain an API key.
 */
export class RpcFailure extends Error {
  readonly kind: RpcFailureKind;
  /** Pause that the provider requested, in milliseconds; null without one. */
  readonly retryAfterMs: number | null;

  constructor(kind: RpcFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'RpcFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown when no provider of a network could be read. The figures are then not measured, which is not zero. */
export class ChainUnreadableError extends Error {
  readonly network: string;

  constructor(network: string, reasons: readonly string[]) {
    super(`Could not read ${network}: ${reasons.join('; ')}`);
    this.name = 'ChainUnreadableError';
    this.network = network;
  }
}
