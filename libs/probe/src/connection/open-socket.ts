import type { X509Certificate } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  TLSSocket,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import { classifyFailure, ProbeFailure, toFailure } from '../outcome/classify-outcome.ts';
import type { DialAddress, CertificateFacts } from '../types.ts';
import { runWithDeadline } from './run-with-deadline.ts';

/** Does nothing. Without any listener, an 'error' event of a socket would end the process. */
function ignore(): void {}

/** Delay before the next address is tried beside the pending attempts, in milliseconds (RFC 8305, section 5). */
const ATTEMPT_DELAY_MS = 250;

export interface OpenedSocket {
  readonly socket: Socket;
  readonly address: DialAddress;
}

function isSelfInflicted(error: unknown): boolean {
  return classifyFailure(toFailure('connect', error)) === 'self-failure';
}

/**
 * Opens a TCP connection to the first address that accepts one. The next address is tried when an attempt fails, and
 * after 250 ms while all attempts are pending. So an address without a response delays the connection by 250 ms, as in
 * browsers (RFC 8305). The sockets of all other attempts are destroyed.
 *
 * @param addresses at least one IP address that passed the address guard, in the order of the attempts
 * @param port port of the URL, for addresses without their own port
 * @param ms deadline for all addresses together, in milliseconds
 * @returns the socket and its address. Rejects with the first failure that this machine did not cause, or with the last
 * failure if this machine caused all failures. So a missing IPv6 route on this machine does not hide that the server
 * refused the connection over IPv4. The exceeded deadline counts as the last failure.
 */
export async function openSocket(
  addresses: readonly DialAddress[],
  port: number,
  ms: number,
): Promise<OpenedSocket> {
  const sockets: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const keepFailure = (error: unknown): void => {
    if (failure === undefined || isSelfInflicted(failure)) failure = error;
  };
  const connected = runWithDeadline<OpenedSocket>(ms, ({ resolve, reject }) => {
    let failedCount = 0;
    const waiting = addresses.values();
    const tryNext = (): void => {
      clearTimeout(timer);
      const { value: address } = waiting.next();
      if (address === undefined) return;
      timer = setTimeout(tryNext, ATTEMPT_DELAY_MS);
      dial(address, port, sockets).then(resolve, (error: unknown) => {
        keepFailure(error);
        failedCount += 1;
        if (failedCount === addresses.length) reject(error);
        else tryNext();
      });
    };
    tryNext();
  });
  const opened = await connected.catch(keepFailure);
  clearTimeout(timer);
  for (const socket of sockets) if (socket !== opened?.socket) socket.destroy();
  if (opened === undefined) throw failure;
  opened.socket.setNoDelay(true);
  return opened;
}

/** Starts one attempt, and adds its socket to `sockets`. */
function dial(address: DialAddress, port: number, sockets: Socket[]): Promise<OpenedSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address.address, port: address.port ?? port });
    sockets.push(socket);
    socket.on('error', ignore);
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, address }));
  });
}

export interface TlsOptions {
  readonly secureContext: SecureContext;
  /** Host of the URL, for which the certificate must be valid. */
  readonly host: string;
  /** TLS server name (SNI). Empty when the host is an IP address, which RFC 6066, section 3, does not allow here. */
  readonly servername: string;
  /** Maximum duration of the handshake, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Makes Node convert only the leaf certificate to an object. By default Node converts the whole chain, which triples
 * the processor time. The host name check needs the leaf only, and OpenSSL has already verified the chain.
 */
function readLeafCertificateOnly(secured: TLSSocket): void {
  const readLeaf = (): PeerCertificate => TLSSocket.prototype.getPeerCertificate.call(secured, false);
  Object.defineProperty(secured, 'getPeerCertificate', { value: readLeaf });
}

/**
 * Checks that a certificate is valid for a host. Only subject alternative names count (RFC 9525, section 2). For a
 * certificate without DNS names, Node would accept the common name, but clients in Go and Python would not.
 */
function checkAlternativeNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (!certificate.subjectaltname)
    return new ProbeFailure('ERR_TLS_CERT_ALTNAME_INVALID', 'certificate has no subject alternative name');
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}

/**
 * Performs a TLS handshake over an open connection, without session reuse. Checks the certificate chain and the host
 * name.
 */
export function secureSocket(socket: Socket, options: TlsOptions): Promise<Socket> {
  const { secureContext, servername, host, timeoutMs } = options;
  return runWithDeadline<Socket>(timeoutMs, ({ resolve, reject }) => {
    const secured = connectTls({
      socket,
      secureContext,
      ...(servername === '' ? {} : { servername }),
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: (_, certificate) => checkAlternativeNames(host, certificate),
    });
    readLeafCertificateOnly(secured);
    const getRejectedCertificate = keepRejectedCertificate(secured);
    secured.on('error', ignore);
    secured.once('secureConnect', () => resolve(secured));
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
function keepRejectedCertificate(secured: TLSSocket): () => CertificateFacts | null {
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
