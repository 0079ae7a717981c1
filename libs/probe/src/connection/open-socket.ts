import { connect as connectTcp, type Socket } from 'node:net';
import {
  classifyFailure,
  CONNECTION_LIMIT_CODE,
  ProbeFailure,
  toFailure,
} from '../outcome/classify-outcome.ts';
import type { DialAddress } from '../types.ts';
import { runWithDeadline } from './run-with-deadline.ts';

/** Does nothing. Without any listener, an 'error' event of a socket would end the process. */
export function ignore(): void {}

/** Delay before the next address is tried beside the pending attempts, in milliseconds (RFC 8305, section 5). */
const ATTEMPT_DELAY_MS = 250;

export interface OpenedSocket {
  readonly socket: Socket;
  readonly address: DialAddress;
}

interface ConnectionOptions {
  /** Port of the URL, for addresses without their own port. */
  readonly port: number;
  /** Deadline for all addresses together, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns false if no further connection may be opened to an address. */
  readonly mayConnect: (address: string) => boolean;
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
 * @returns the socket and its address. Rejects with the first failure that this machine did not cause, or with the last
 * failure if this machine caused all failures. So a missing IPv6 route on this machine does not hide that the server
 * refused the connection over IPv4. The exceeded deadline counts as the last failure.
 */
export async function openSocket(
  addresses: readonly DialAddress[],
  options: ConnectionOptions,
): Promise<OpenedSocket> {
  const sockets: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const keepFailure = (error: unknown): void => {
    if (failure === undefined || isSelfInflicted(failure)) failure = error;
  };
  const connected = runWithDeadline<OpenedSocket>(options.timeoutMs, ({ resolve, reject }) => {
    let failedCount = 0;
    const waiting = addresses.values();
    const tryNext = (): void => {
      clearTimeout(timer);
      const { value: address } = waiting.next();
      if (address === undefined) return;
      timer = setTimeout(tryNext, ATTEMPT_DELAY_MS);
      dial(address, options, sockets).then(resolve, (error: unknown) => {
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

/** Starts one attempt, and adds its socket to `sockets`. Rejects if no further connection may be opened. */
function dial(
  address: DialAddress,
  { port, mayConnect }: ConnectionOptions,
  sockets: Socket[],
): Promise<OpenedSocket> {
  return new Promise((resolve, reject) => {
    if (address.isTrusted !== true && !mayConnect(address.address))
      throw new ProbeFailure(CONNECTION_LIMIT_CODE, 'no further connection to the address is allowed now');
    const socket = connectTcp({ host: address.address, port: address.port ?? port });
    sockets.push(socket);
    socket.on('error', ignore);
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, address }));
  });
}
