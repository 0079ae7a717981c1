/**
 * Kind of a failed RPC call. It determines how the caller reacts.
 *
 * - `too-large`: the result would be too large. Request a smaller range.
 * - `slow`: the call timed out. Request a smaller range, or use another provider.
 * - `rate-limited`: the provider demands a pause. Retry after the pause.
 * - `unavailable`: the provider did not send a usable response. Retry.
 * - `unusable`: the provider's responses are wrong or incomplete. Use another provider.
 */
export type RpcFailureKind = 'too-large' | 'slow' | 'rate-limited' | 'unavailable' | 'unusable';

/**
 * Thrown when a provider did not respond or its response was invalid. The message is a predicate to be appended to the
 * provider's name, such as "does not have block 7". It never contains the provider's URL, which may contain an API key.
 */
export class RpcFailure extends Error {
  readonly kind: RpcFailureKind;
  /** Pause that the provider requested, in milliseconds; null when the provider requested none. */
  readonly retryAfterMs: number | null;

  constructor(kind: RpcFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'RpcFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown when no provider of a network could be read. Payment figures are then not measured; they are not zero. */
export class ChainUnreadableError extends Error {
  readonly network: string;

  constructor(network: string, reasons: readonly string[]) {
    super(`Could not read ${network}: ${reasons.join('; ')}`);
    this.name = 'ChainUnreadableError';
    this.network = network;
  }
}
