import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { CertificateFacts } from '../types.ts';

/** Maximum number of certificates of a chain that are read. */
const MAX_CHAIN_LENGTH = 10;
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 100;

/**
 * Makes a TLS socket keep the facts of a certificate that Node rejects. Node closes the socket at once, and the
 * certificate cannot be read from a closed socket. So the facts are read immediately before the socket is closed. The
 * verification itself stays with Node: nothing is sent over a connection whose certificate was rejected.
 *
 * @returns a function that returns the facts; null when Node did not reject the certificate
 */
export function keepRejectedCertificate(secured: TLSSocket): () => CertificateFacts | null {
  let facts: CertificateFacts | null = null;
  const destroy = (error?: Error): TLSSocket => {
    // `authorizationError` has a value only if the chain or the host name was rejected.
    if (error !== undefined && isRejected(secured)) facts = readFacts(secured);
    return TLSSocket.prototype.destroy.call(secured, error);
  };
  Object.defineProperty(secured, 'destroy', { value: destroy });
  return () => facts;
}

function isRejected({ authorizationError }: TLSSocket): boolean {
  // Node's type names an error, but the value is an error code, or null before a rejection.
  const code: unknown = authorizationError;
  return code !== null && code !== undefined;
}

function readFacts(secured: TLSSocket): CertificateFacts | null {
  const leaf = secured.getPeerX509Certificate();
  if (leaf === undefined) return null;
  const chain = readChain(leaf);
  const names = readNames(leaf.subjectAltName ?? '');
  return {
    validFrom: toIsoTime(Math.max(...chain.map(({ validFromDate }) => validFromDate.getTime()))),
    validTo: toIsoTime(Math.min(...chain.map(({ validToDate }) => validToDate.getTime()))),
    names: names.slice(0, MAX_NAMES),
    nameCount: names.length,
  };
}

function readChain(leaf: X509Certificate): readonly X509Certificate[] {
  const chain = [leaf];
  let issuer = leaf.issuerCertificate;
  while (issuer !== undefined && chain.length < MAX_CHAIN_LENGTH) {
    chain.push(issuer);
    issuer = issuer.issuerCertificate;
  }
  return chain;
}

/** Returns the DNS names and IP addresses in Node's text form of the subject alternative names. */
function readNames(alternativeNames: string): readonly string[] {
  const entries = alternativeNames.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries, ([, name = '']) =>
    // The names come from the server, so other characters are replaced.
    name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.*:-]/g, '?'),
  );
}

function toIsoTime(ms: number): string | null {
  return Number.isNaN(new Date(ms).getTime()) ? null : new Date(ms).toISOString();
}
