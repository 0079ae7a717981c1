import { constants } from 'node:os';

/** Error that the user can resolve. Its message is printed without a stack trace. */
export class BootstrapError extends Error {
  /**
   * @param {string} message Problem and solution; an empty message is not printed.
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Returns the exit code that a shell reports for a process that this signal has ended.
 *
 * @param {NodeJS.Signals} signal
 * @returns {number}
 */
export function toExitCode(signal) {
  return 128 + constants.signals[signal];
}
