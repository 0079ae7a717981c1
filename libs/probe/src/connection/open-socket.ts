import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, TLSSocket } from 'node:tls';
import type { PeerCertificate, SecureContext } from 'node:tls';
import { classifyFailure } from '../outcome/classify-failure.ts';
import { CertificateFailure, ProbeFailure, toFailure } from '../outcome/failure.ts';
import type { DialAddress } from '../types.ts';
import { keepRejectedCertificate } from './rejected-certificate.ts';
import { runWithDeadline } from './run-with-deadline.ts';

/**
 * Does nothing. As a listener, it prevents an 'error' event from ending the process while no other listener is
 * attached.
 */
function ignore(): void {}

function dial(address: DialAddress, port: number, ms: number): Promise<Socket> {
  const socket = connectTcp({ host: address.address, port: address.port ?? port });
  socket.on('error', ignore);
  const connected = runWithDeadline<Socket>(ms, ({ resolve, reject }) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
  return connected.catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

function isSelfInflicted(error: unknown): boolean {
  return classifyFailure(toFailure('connect', error)) === 'self-failure';
}

/**
 * Opens a TCP connection to the first address that accepts it. Each address gets an equal share of the remaining time.
 *
 * @param addresses at least one IP address that passed the address guard
 * @param port port of the URL, for addresses without their own port
 * @param ms deadline for all addresses together, in milliseconds
 * @returns the socket and its remote address. Rejects with the first failure that this machine did not cause; if it
 * caused all failures, with the last one. So a missing IPv6 route on this machine does not hide that the server refused
 * the connection over IPv4.
 */
export async function openSocket(
  addresses: readonly DialAddress[],
  port: number,
  ms: number,
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const endsAt = performance.now() + ms;
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const shareMs = (endsAt - performance.now()) / (addresses.length - index);
    try {
      const socket = await dial(address, port, shareMs);
      socket.setNoDelay(true);
      return { socket, address: address.address };
    } catch (error) {
      if (failure === undefined || isSelfInflicted(failure)) failure = error;
    }
  }
  throw failure;
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
 * Checks that a certificate is valid for a host. Only subject alternative names count (RFC 9525, section 2). Node would
 * also accept the common name when there is no DNS name among them, but clients in Go and Python would not.
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
      reject(certificate === null ? error : new CertificateFailure(error, certificate));
    });
  });
}
