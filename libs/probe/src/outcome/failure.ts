import type { CertificateFacts, Phase, RequestFailure } from '../types.ts';

/** Error for a failure that the prober itself detected, such as an exceeded deadline. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure';
  readonly code: string;
  readonly details: FailureDetails;

  constructor(code: string, message: string, details: FailureDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Facts about a failure that its code and message do not contain. */
type FailureDetails = Pick<RequestFailure, 'limitMs' | 'certificate'>;

/** Error of a TLS handshake whose certificate was not accepted. */
export class CertificateFailure extends ProbeFailure {
  constructor(cause: Error, certificate: CertificateFacts) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : UNEXPECTED_CODE;
    super(code, cause.message, { certificate });
  }
}

/** Error code for an error that has no code. It counts as our own failure. */
export const UNEXPECTED_CODE = 'ERR_UNEXPECTED';

/** Error code for a request that exceeded one of the prober's deadlines. */
export const DEADLINE_CODE = 'ERR_DEADLINE';

/** Error code for a host whose addresses were all refused by the address guard. */
export const REFUSED_CODE = 'ERR_ADDRESS_REFUSED';

/** Error code for a response that violates HTTP, although Node's parser accepts it. */
export const BAD_RESPONSE_CODE = 'ERR_BAD_ANSWER';

/** Error code for a target that is not an absolute http or https URL with a usable port. */
export const BAD_TARGET_CODE = 'ERR_BAD_TARGET';

/** Error code for a body whose content coding was not offered in `Accept-Encoding`. */
export const BAD_CODING_CODE = 'ERR_BAD_CODING';

/**
 * Maximum length of a failure message, in characters. It is limited because a message may contain remote data, such as
 * certificate names.
 */
const MAX_MESSAGE_LENGTH = 500;

/** Converts a thrown value to the field `failure` of a probe. */
export function toFailure(phase: Phase, thrown: unknown): RequestFailure {
  if (!(thrown instanceof Error))
    return { phase, code: UNEXPECTED_CODE, message: 'the thrown value is not an Error' };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : UNEXPECTED_CODE;
  const details = thrown instanceof ProbeFailure ? thrown.details : {};
  return { phase, code, message: thrown.message.slice(0, MAX_MESSAGE_LENGTH), ...details };
}
