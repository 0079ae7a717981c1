/**
 * What is wrong with an answer: it would be too much (ask for less), it takes too long (for as much, or at all), the
 * provider wants to be left alone for a while, there is none this time (ask again), or it cannot be used (ask another
 * provider).
 */
export type RpcFailureKind = 'too-much' | 'slow' | 'busy' | 'missing' | 'unusable';

/** A provider did not answer, or answered what cannot be. The message never holds its URL, which may carry a key. */
export class RpcFailure extends Error {
  readonly kind: RpcFailureKind;
  /** How long the provider asked to be left alone, milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(trouble: RpcFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'RpcFailure';
    this.kind = trouble;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No provider of a network could be read: what is not read is not measured, and never zero. */
export class ChainUnreadableError extends Error {
  readonly network: string;

  constructor(network: string, reasons: readonly string[]) {
    super(`Could not read ${network}: ${reasons.join('; ')}`);
    this.name = 'ChainUnreadable';
    this.network = network;
  }
}
