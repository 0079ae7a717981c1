/**
 * Invalid input, or another expected reason why a command cannot run. Only the message is printed, without a stack
 * trace.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
}
