import { constants } from 'node:os';

/** An end that the person in front of the terminal can do something about: printed without a stack. */
export class Stop extends Error {
  /**
   * @param {string} message What happened and what to do; empty when there is nothing to say.
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The exit code a shell reports for a process that a signal ended.
 *
 * @param {NodeJS.Signals} signal
 * @returns {number}
 */
export function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}
