import type { Probe } from '@touchstone/probe';

type Failure = NonNullable<Probe['failure']>;

/** The chain may be sound, its authority only unknown here. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What went wrong in a handshake, without the places in OpenSSL's sources and the advice meant for users of Node. */
export function tlsWords({ message }: Failure): string {
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/i.exec(message)?.[1];
  return (
    (reason ?? message)
      .replace(/; if the root CA is installed locally.*$/s, '')
      // Node ends the host name with a full stop before it goes on with the sentence.
      .replace(/(Host: \S+?)\.+ is not/, '$1 is not')
      .trim()
  );
}

/** What to do about it on this side; null where it is for the seller to mend. */
export function tlsNote(failure: Probe['failure']): string | null {
  return failure !== null && UNKNOWN_AUTHORITY.has(failure.code)
    ? 'If you trust the authority that signed its certificate, name that one with --ca.'
    : null;
}
