import type { Outcome, Phase, Probe } from '@touchstone/probe';
import { describeTlsFailure } from './describe-tls-failure.ts';

const TIMEOUT_BY_PHASE: Readonly<Record<Phase, string>> = {
  resolve: 'while resolving the host name',
  connect: 'while connecting',
  tls: 'during the TLS handshake',
  processing: 'while waiting for the response',
  transfer: 'while reading the response',
};
const HEADERS_TOO_LONG = 'HPE_HEADER_OVERFLOW';

/** Functions that describe the reason of a missing response, by the outcome of the probe. */
const REASONS: Readonly<Partial<Record<Outcome, (failure: Probe['failure']) => string>>> = {
  timeout: (failure) => `timeout ${failure === null ? 'of the request' : TIMEOUT_BY_PHASE[failure.phase]}`,
  'dns-error': (failure) => `the host name does not resolve (${failure?.code ?? ''})`,
  'tls-error': (failure) =>
    `the TLS handshake failed: ${failure === null ? '' : describeTlsFailure(failure)}`,
  'connect-error': (failure) => `the connection failed (${failure?.code ?? ''})`,
  'protocol-error': (failure) =>
    failure?.code === HEADERS_TOO_LONG
      ? 'the response headers are longer than 64 KiB in total'
      : `the response is not valid HTTP (${failure?.code ?? 'its status is not an HTTP status'})`,
};

/**
 * Returns the reason why a probe got no response. Returns null when a status was received, even if the body is
 * incomplete.
 */
export function describeFailure({ outcome, failure, httpStatus }: Probe): string | null {
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 600) return null;
  return REASONS[outcome]?.(failure) ?? null;
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
