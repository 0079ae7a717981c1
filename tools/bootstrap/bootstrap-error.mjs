import { constants } from 'node:os';

/** An error that the user can resolve. It is printed without a stack trace. */
export class BootstrapError extends Error {
  /**
   * @param {string} message What happened and what to do; empty to print nothing.
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Converts a signal to the exit code that a shell reports for a process ended by it.
 *
 * @param {NodeJS.Signals} signal
 * @returns {number}
 */
export function toExitCode(signal) {
  return 128 + constants.signals[signal];
}
