/**
 * Error that prevents the start of the sandbox. The message is one line for the operator with the problem, the setting
 * or file, and the fix.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Returns the message of any thrown value, on one line. */
export function toErrorMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
}
