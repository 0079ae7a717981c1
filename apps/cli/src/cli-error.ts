/** A mistake in what a command was given, or a reason why it cannot be done: its message is all that is shown. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
