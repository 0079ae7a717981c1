import type { Probe } from '@touchstone/probe';

type Failure = NonNullable<Probe['failure']>;

/** Error codes of certificate chains that may be valid, but whose certificate authority this machine does not trust. */
const UNKNOWN_AUTHORITY_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Describes a TLS failure. Removes the OpenSSL source locations and the advice for Node.js developers from its message.
 */
export function describeTlsFailure({ message }: Failure): string {
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/i.exec(message)?.[1];
  return (
    (reason ?? message)
      .replace(/; if the root CA is installed locally.*$/s, '')
      // Node.js puts a full stop after the host name, in the middle of the sentence.
      .replace(/(Host: \S+?)\.+ is not/, '$1 is not')
      .trim()
  );
}

/** Returns advice for the user of this command; null when only the provider can fix the failure. */
export function createTlsNote(failure: Probe['failure']): string | null {
  return failure !== null && UNKNOWN_AUTHORITY_CODES.has(failure.code)
    ? 'If you trust the authority that issued the certificate, give its PEM file with --ca.'
    : null;
}
