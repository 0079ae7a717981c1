import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, TLSSocket } from 'node:tls';
import type { PeerCertificate, SecureContext } from 'node:tls';
import { classifyFailure } from '../outcome/classify-failure.ts';
import { ProbeFailure, toFailure } from '../outcome/failure.ts';
import { runWithDeadline } from './run-with-deadline.ts';
import type { DialAddress } from '../types.ts';

/** A socket without a listener for errors ends the process; whoever waits for it has listeners of their own. */
function ignore(): void {}

function dial(address: DialAddress, port: number, ms: number): Promise<Socket> {
  const socket = connectTcp({ host: address.address, port: address.port ?? port });
  socket.on('error', ignore);
  const connected = runWithDeadline<Socket>(ms, ({ done, fail }) => {
    socket.once('connect', () => done(socket));
    socket.once('error', fail);
  });
  return connected.catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

function isOwnFault(error: unknown): boolean {
  return classifyFailure(toFailure('connect', error)) === 'self-failure';
}

/**
 * Opens a TCP connection to the first address that takes it. The time left is shared evenly by the addresses
 * that are left.
 *
 * @param addresses - IP addresses that passed the guard; at least one.
 * @param port - The port of the URL, for addresses that bring none.
 * @param ms - Milliseconds for all of them together.
 * @returns The socket and the address it leads to. Rejects with the first failure that was not our own, else the
 * last one: a missing IPv6 route here must not hide that the endpoint refused over IPv4.
 */
export async function openSocket(
  addresses: readonly DialAddress[],
  port: number,
  ms: number,
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const endsAt = performance.now() + ms;
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const share = (endsAt - performance.now()) / (addresses.length - index);
    try {
      const socket = await dial(address, port, share);
      socket.setNoDelay(true);
      return { socket, address: address.address };
    } catch (error) {
      if (failure === undefined || isOwnFault(failure)) failure = error;
    }
  }
  throw failure;
}

export interface TlsOptions {
  readonly secureContext: SecureContext;
  /** The host of the URL, against which the certificate is checked. */
  readonly host: string;
  /** Empty for an IP address, which RFC 6066, section 3, keeps out of the server name. */
  readonly servername: string;
  readonly ms: number;
}

/**
 * Node asks for the whole chain as objects before it has the name checked, by the leaf alone: three times the work, and
 * more for longer chains. That the chain leads to an authority has been found out by OpenSSL before.
 */
function readLeafCertificateOnly(secured: TLSSocket): void {
  const leaf = (): PeerCertificate => TLSSocket.prototype.getPeerCertificate.call(secured, false);
  Object.defineProperty(secured, 'getPeerCertificate', { value: leaf });
}

/**
 * Whether a certificate is for a host, by its alternative names alone (RFC 9525, section 2). Without a name of a host
 * among them Node falls back to the common name, which clients in Go and Python refuse.
 */
function checkAlternativeNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (!certificate.subjectaltname)
    return new ProbeFailure('ERR_TLS_CERT_ALTNAME_INVALID', 'certificate has no subject alternative name');
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}

/** Shakes hands on an open connection, with a new session each time, and checks chain and name. */
export function secureSocket(socket: Socket, order: TlsOptions): Promise<Socket> {
  const { secureContext, servername, host, ms } = order;
  return runWithDeadline<Socket>(ms, ({ done, fail }) => {
    const secured = connectTls({
      socket,
      secureContext,
      ...(servername === '' ? {} : { servername }),
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: (_, certificate) => checkAlternativeNames(host, certificate),
    });
    readLeafCertificateOnly(secured);
    secured.on('error', ignore);
    secured.once('secureConnect', () => done(secured));
    secured.once('error', fail);
  });
}
