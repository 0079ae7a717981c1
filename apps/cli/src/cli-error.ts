/** An error in the input of a command, or a reason why it cannot run. Only its message is shown. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
