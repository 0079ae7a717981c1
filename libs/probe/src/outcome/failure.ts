import type { Phase, Probe } from '../types.ts';

/** Ends a request for a reason this library found itself. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The code of an error that says nothing about itself: a fault of our own. */
export const UNEXPECTED_CODE = 'ERR_UNEXPECTED';

/** A deadline of ours passed. */
export const DEADLINE_CODE = 'ERR_DEADLINE';

/** The address guard refused every address. */
export const REFUSED_CODE = 'ERR_ADDRESS_REFUSED';

/** The answer breaks HTTP in a way that Node's parser lets pass. */
export const BAD_RESPONSE_CODE = 'ERR_BAD_ANSWER';

/** The target is not an absolute http or https URL with a usable port. */
export const BAD_TARGET_CODE = 'ERR_BAD_TARGET';

/** The body is not in the coding its header names. */
export const BAD_CODING_CODE = 'ERR_BAD_CODING';

/** Messages may quote what the other side sent, such as the names in a certificate. */
const messageLength = 500;

/** Puts any thrown value into the form a probe carries. */
export function toFailure(phase: Phase, thrown: unknown): NonNullable<Probe['failure']> {
  if (!(thrown instanceof Error))
    return { phase, code: UNEXPECTED_CODE, message: 'something that is no error was thrown' };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : UNEXPECTED_CODE;
  return { phase, code, message: thrown.message.slice(0, messageLength) };
}
