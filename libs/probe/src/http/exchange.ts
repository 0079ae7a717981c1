import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { BAD_RESPONSE_CODE, ProbeFailure } from '../outcome/failure.ts';
import { runWithDeadline } from '../connection/run-with-deadline.ts';
import type { DeadlineControls } from '../connection/run-with-deadline.ts';
import type { ProbeLimits } from '../types.ts';

/** What has been read of an answer so far. */
export interface RawResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as it came over the wire, still coded, up to the limit. */
  readonly raw: Uint8Array[];
  /** True when reading stopped at the limit. */
  cut: boolean;
}

export interface ExchangeInput {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly limits: ProbeLimits;
  /** Milliseconds left of the whole request. */
  readonly leftMs: () => number;
  readonly onFirstByte: () => void;
  /** Called once the header section is complete, before the body is. */
  readonly onHeaders: (answer: RawResponse) => void;
}

/** A body in more pieces than this is a waste of processor time on purpose. */
const maxPieces = 4096;

/** Interim answers (1xx) a server may send before the final one. */
const maxInterim = 8;

function toPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}

function collect(
  response: IncomingMessage,
  order: ExchangeInput,
  { done, fail }: DeadlineControls<RawResponse>,
): void {
  const answer: RawResponse = {
    status: response.statusCode ?? 0,
    headers: toPairs(response.rawHeaders),
    raw: [],
    cut: false,
  };
  order.onHeaders(answer);
  let size = 0;
  response.on('data', (piece: Uint8Array) => {
    if (answer.cut) return;
    answer.raw.push(piece);
    size += piece.length;
    answer.cut = size > order.limits.bodyBytes || answer.raw.length >= maxPieces;
    if (answer.cut) done(answer);
  });
  response.once('end', () => done(answer));
  response.once('error', fail);
  response.once('close', () => {
    if (!response.complete) fail(new ProbeFailure('ECONNRESET', 'connection closed within the body'));
  });
}

/**
 * Sends one request over an open connection and reads the answer to its end or to the limit of the body. The
 * caller closes the connection; whatever was read is in the answer given to `onHeaders`, also after a failure.
 *
 * @returns The answer; rejects at a deadline or with the error of Node or llhttp.
 */
export function exchange(socket: Socket, order: ExchangeInput): Promise<RawResponse> {
  const { method, path, headers, limits } = order;
  return runWithDeadline<RawResponse>(Math.min(limits.firstByteMs, order.leftMs()), (settle) => {
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: limits.headerBytes,
    });
    // Node keeps 2,000 fields unless told, and leaves out what follows without a word; the bytes are limited already.
    request.maxHeadersCount = 0;
    let interim = 0;
    let answered = false;
    request.once('socket', () =>
      socket.prependOnceListener('data', () => {
        order.onFirstByte();
        settle.setDeadline(order.leftMs());
      }),
    );
    request.on('information', () => {
      interim += 1;
      if (interim > maxInterim) settle.fail(new ProbeFailure(BAD_RESPONSE_CODE, 'too many interim answers'));
    });
    request.once('upgrade', () =>
      settle.fail(new ProbeFailure(BAD_RESPONSE_CODE, 'protocol switched unasked')),
    );
    request.once('response', (response) => {
      answered = true;
      collect(response, order, settle);
    });
    request.on('error', settle.fail);
    request.once('close', () => {
      if (!answered) settle.fail(new ProbeFailure('ECONNRESET', 'connection closed without an answer'));
    });
    request.end(order.body ?? undefined);
  });
}
