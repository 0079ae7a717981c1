/** The sandbox cannot start; the message is one line for the operator: what is wrong, with what, and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** The reason in one line, whatever was thrown. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
