import type { Phase, Probe } from '../types.ts';

/** Error for a failure that the prober detected itself. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Code of an error without a code. It counts as our own failure. */
export const UNEXPECTED_CODE = 'ERR_UNEXPECTED';

/** Code of a request that exceeded one of the prober's deadlines. */
export const DEADLINE_CODE = 'ERR_DEADLINE';

/** Code of a host for which the address guard refused every address. */
export const REFUSED_CODE = 'ERR_ADDRESS_REFUSED';

/** Code of a response that violates HTTP in a way that Node's parser accepts. */
export const BAD_RESPONSE_CODE = 'ERR_BAD_ANSWER';

/** Code of a target that is not an absolute http or https URL with a usable port. */
export const BAD_TARGET_CODE = 'ERR_BAD_TARGET';

/** Code of a body that is not encoded as its `Content-Encoding` header names. */
export const BAD_CODING_CODE = 'ERR_BAD_CODING';

/** Maximum length of a failure message, in characters. Messages may quote remote data, such as certificate names. */
const MAX_MESSAGE_LENGTH = 500;

/** Converts a thrown value to the `failure` of a probe. */
export function toFailure(phase: Phase, thrown: unknown): NonNullable<Probe['failure']> {
  if (!(thrown instanceof Error))
    return { phase, code: UNEXPECTED_CODE, message: 'the thrown value is not an Error' };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : UNEXPECTED_CODE;
  return { phase, code, message: thrown.message.slice(0, MAX_MESSAGE_LENGTH) };
}
