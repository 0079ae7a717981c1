import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  TLSSocket,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import { ProbeFailure, toFailure } from '../outcome/classify-outcome.ts';
import type { CertificateFacts, TlsFacts } from '../types.ts';
import { ignore } from './open-socket.ts';
import { runWithDeadline } from './run-with-deadline.ts';

/**
 * Key exchange groups of Node's default list without the post-quantum group. OpenSSL sends a key share for the first
 * group only, so the first message has 390 instead of 1,600 bytes. Many servers prefer the post-quantum group, and
 * would ask for its key share in another round trip if the list contained the group.
 */
const CLASSIC_GROUPS = 'X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072';

/** TLS settings of a prober or a sender. */
export interface SecureContexts {
  /** Settings for all servers except the few that accept only post-quantum key exchange. */
  readonly classic: SecureContext;
  /** Returns Node's default settings, with all groups. */
  readonly getDefault: () => SecureContext;
}

/** @param ca PEM certificates of authorities that are trusted in addition to the default authorities of Node */
export function createSecureContexts(ca: readonly string[]): SecureContexts {
  const options = ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] };
  let complete: SecureContext | undefined;
  return {
    classic: createSecureContext({ ...options, ecdhCurve: CLASSIC_GROUPS }),
    getDefault: () => (complete ??= createSecureContext(options)),
  };
}

/**
 * Returns true when a server may have rejected a handshake because it accepts none of the offered key exchange groups.
 * RFC 8446, section 4.1.1, demands one of two alerts, which can have other causes too.
 */
export function isGroupMismatch(error: unknown): boolean {
  const { code } = toFailure('tls', error);
  return /_ALERT_(HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)$/.test(code);
}

export interface TlsOptions {
  readonly secureContext: SecureContext;
  /** Host of the URL, for which the certificate must be valid. */
  readonly host: string;
  /** TLS server name (SNI). Empty when the host is an IP address, which RFC 6066, section 3, does not allow here. */
  readonly servername: string;
  /** Maximum duration of the handshake, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with the facts on the connection after a successful handshake. Without it, the chain is not read. */
  readonly onSecure?: ((facts: TlsFacts) => void) | undefined;
}

type GetLeaf = () => X509Certificate | undefined;

/**
 * Returns a function that reads the leaf certificate of a connection. Node removes the leaf from the chain when it
 * returns the leaf, and would return another certificate or none at the second call.
 */
function createLeafReader(secured: TLSSocket): GetLeaf {
  let leaf: X509Certificate | undefined;
  return () => (leaf ??= secured.getPeerX509Certificate());
}

/**
 * Makes Node read only the subject alternative names of the leaf certificate for the host name check. By default Node
 * converts the whole chain to objects, which takes a large part of the processor time of a probe. OpenSSL has already
 * verified the chain.
 */
function readAlternativeNamesOnly(secured: TLSSocket, getLeaf: GetLeaf): void {
  const readNames = () => ({ subjectaltname: getLeaf()?.subjectAltName });
  Object.defineProperty(secured, 'getPeerCertificate', { value: readNames });
}

/**
 * Checks that a certificate is valid for a host. Only subject alternative names count (RFC 9525, section 2). For a
 * certificate without DNS names, Node would accept the common name, but clients in Go and Python would not.
 */
function checkAlternativeNames(host: string, { subjectaltname }: PeerCertificate): Error | undefined {
  if (!subjectaltname)
    return new ProbeFailure('ERR_TLS_CERT_ALTNAME_INVALID', 'certificate has no subject alternative name');
  // The check reads only these two members. The type demands those of a whole certificate.
  return checkServerIdentity(host, { subjectaltname, subject: { CN: '' } } as PeerCertificate);
}

/**
 * Performs a TLS handshake over an open connection, without session reuse. Checks the certificate chain and the host
 * name.
 */
export function secureSocket(socket: Socket, options: TlsOptions): Promise<Socket> {
  const { secureContext, servername, host, timeoutMs, onSecure } = options;
  return runWithDeadline<Socket>(timeoutMs, ({ resolve, reject }) => {
    const secured = connectTls({
      socket,
      secureContext,
      ...(servername === '' ? {} : { servername }),
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: (_, certificate) => checkAlternativeNames(host, certificate),
    });
    const getLeaf = createLeafReader(secured);
    readAlternativeNamesOnly(secured, getLeaf);
    const getRejectedCertificate = keepRejectedCertificate(secured, getLeaf);
    secured.on('error', ignore);
    secured.once('secureConnect', () => {
      const validTo = onSecure === undefined ? null : (readFacts(getLeaf())?.validTo ?? null);
      onSecure?.({ protocol: secured.getProtocol() ?? '', validTo });
      resolve(secured);
    });
    secured.once('error', (error: Error) => {
      const certificate = getRejectedCertificate();
      const { code, message } = toFailure('tls', error);
      reject(certificate === null ? error : new ProbeFailure(code, message, { certificate }));
    });
  });
}

/** Maximum number of certificates of a chain that are read. */
const MAX_CHAIN_LENGTH = 10;
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 100;

/**
 * Makes a TLS socket keep the facts of a certificate that Node rejects. Node closes the socket immediately, and the
 * certificate cannot be read from a closed socket. So the facts are read immediately before the socket is closed. Node
 * still verifies the certificate, and nothing is sent over a connection whose certificate was rejected.
 *
 * @returns a function that returns the facts; null when Node did not reject the certificate
 */
function keepRejectedCertificate(secured: TLSSocket, getLeaf: GetLeaf): () => CertificateFacts | null {
  let facts: CertificateFacts | null = null;
  const destroy = (error?: Error): TLSSocket => {
    // `authorizationError` has a value only if the chain or the host name was rejected.
    if (error !== undefined && isRejected(secured)) facts = readFacts(getLeaf());
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

function readFacts(leaf: X509Certificate | undefined): CertificateFacts | null {
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

/** Returns the DNS names and IP addresses of subject alternative names. The argument has the text format of Node. */
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
