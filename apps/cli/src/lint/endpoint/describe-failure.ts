import { describeFailure, type Probe } from '@touchstone/probe';

const HEADERS_TOO_LONG = 'HPE_HEADER_OVERFLOW';

/** Error codes of certificate chains that may be valid, but whose certificate authority this machine does not trust. */
const UNKNOWN_AUTHORITY_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns the reason why a probe got no response, as a part of a sentence. Returns null when a status was received, even
 * if the body is incomplete.
 */
export function describeMissingResponse(probe: Probe): string | null {
  const { httpStatus } = probe;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 600) return null;
  const description = describeFailure(probe);
  if (description === null) return null;
  const reason = description.detail.replace(/\.$/, '');
  // An acronym such as TLS stays in capitals.
  return /^[A-Z]{2}/.test(reason) ? reason : reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** Returns advice for the user of this command; null when only the provider can fix the failure. */
export function createTlsNote(failure: Probe['failure']): string | null {
  return failure !== null && UNKNOWN_AUTHORITY_CODES.has(failure.code)
    ? 'If you trust the authority that issued the certificate, give its PEM file with --ca.'
    : null;
}

/** Returns a specific fix for a missing response; null when the general fix of the compliance rule applies. */
export function findFailureFix({ failure }: Probe): string | null {
  if (failure?.code !== HEADERS_TOO_LONG) return null;
  return (
    'Shorten the headers, mainly the examples and schemas in PAYMENT-REQUIRED. ' +
    'Many servers and clients accept only 8 or 16 KiB of headers in total.'
  );
}

/** Returns the reason why the body of a response is incomplete; null for a complete body. */
export function describeIncompleteBody({ outcome, failure, httpStatus }: Probe): string | null {
  if (failure === null || httpStatus === null) return null;
  const consequence = 'Only the headers were checked.';
  if (outcome === 'timeout') return `The body did not arrive before the timeout. ${consequence}`;
  if (outcome === 'connect-error' || outcome === 'tls-error' || outcome === 'protocol-error')
    return `The connection failed during the body (${failure.code}). ${consequence}`;
  return `The body could not be decoded (${failure.message}). ${consequence}`;
}
