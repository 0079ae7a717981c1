/** Values of the text that a wallet signs for a dispute. Each value is exactly the value in the request. */
export interface DisputeStatement {
  /** Origin of this service, such as `https://touchstone.example`. */
  readonly origin: string;
  readonly resource: string;
  readonly subject: string;
  /** SHA-256 of the UTF-8 bytes of the text of the dispute, as 64 lower-case hexadecimal digits. */
  readonly textSha256: string;
  readonly wallet: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly signedAt: string;
}

/**
 * Returns the text that a wallet signs with `personal_sign` (EIP-191). The text names everything that the dispute says,
 * so the signature is valid for no other dispute, endpoint, service or time. Lines end with a line feed, and the last
 * line has none.
 */
export function formatDisputeMessage(statement: DisputeStatement): string {
  return [
    'Touchstone dispute',
    '',
    'I state that a verdict is wrong. This signature pays nothing and permits nothing.',
    '',
    `Service: ${statement.origin}`,
    `Resource: ${statement.resource}`,
    `Subject: ${statement.subject}`,
    `Text SHA-256: ${statement.textSha256}`,
    `Wallet: ${statement.wallet}`,
    `Signed at: ${statement.signedAt}`,
  ].join('\n');
}
