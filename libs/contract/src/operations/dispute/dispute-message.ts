/** Values of the text that a wallet signs for a dispute. Each value is exactly the value in the request. */
export interface DisputeStatement {
  /** Origin of this service, such as `https://touchstone.example`. */
  readonly origin: string;
  readonly resource: string;
  readonly subject: string;
  /** Text of the dispute, one line. */
  readonly text: string;
  readonly wallet: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly signedAt: string;
}

/**
 * Returns the message that a wallet signs with `personal_sign` (EIP-191). The message contains everything that the dispute
 * publishes, so every wallet program shows it, and the signature is valid for no other dispute, endpoint, service or time. Lines end with a line feed, and the last
 * line has none.
 */
export function formatDisputeMessage(statement: DisputeStatement): string {
  return [
    'Touchstone dispute',
    '',
    'I state that a verdict is wrong, and publish the text below. This signature pays nothing and permits nothing else.',
    '',
    `Service: ${statement.origin}`,
    `Resource: ${statement.resource}`,
    `Subject: ${statement.subject}`,
    `Text: ${statement.text}`,
    `Wallet: ${statement.wallet}`,
    `Signed at: ${statement.signedAt}`,
  ].join('\n');
}
