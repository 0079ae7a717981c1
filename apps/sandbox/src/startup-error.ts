/**
 * Error that prevents the start of the sandbox. The message is one line for the operator with the problem, the setting
 * or file, and the fix.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Returns the message of any thrown value, on one line. */
export const toErrorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
