/** Stable slug of an error of a purchase. Agents that use the MCP server branch on it. */
export type CliErrorCode =
  | 'limit-exceeded'
  | 'no-wallet'
  | 'network-not-allowed'
  | 'quote-rejected'
  | 'service-unreachable'
  | 'invalid-response'
  | 'insufficient-funds'
  | 'payment-failed'
  | 'payment-open'
  | 'purchase-in-progress';

export interface CliErrorOptions extends ErrorOptions {
  readonly code?: CliErrorCode;
  /** True when it is certain that the payer was not charged. */
  readonly notCharged?: boolean;
}

/**
 * Invalid input, or another expected reason why a command cannot run. Only the message is printed, without a stack
 * trace.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Null for an error that no purchase causes. */
  readonly code: CliErrorCode | null;
  readonly notCharged: boolean;

  constructor(message: string, { code, notCharged = false, ...options }: CliErrorOptions = {}) {
    super(message, options);
    this.code = code ?? null;
    this.notCharged = notCharged;
  }
}

/** Returns the message of a thrown value. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
