import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { runWithDeadline, type DeadlineControls } from '../connection/run-with-deadline.ts';
import { BAD_RESPONSE_CODE, ProbeFailure } from '../outcome/classify-outcome.ts';
import type { ProbeLimits } from '../types.ts';

/** The part of a response that was received, also after a failure. */
export interface RawResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Chunks of the encoded body, up to the body limit. */
  readonly chunks: Uint8Array[];
  /** True when the body was not read to its end because of a limit. */
  isTruncated: boolean;
}

export interface ExchangeInput {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Header fields as a flat list: name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly limits: ProbeLimits;
  /** Returns the milliseconds that remain until the deadline of the whole request. */
  readonly getRemainingMs: () => number;
  readonly onFirstByte: () => void;
  /**
   * Called when the header section is complete. The chunks of the body are added to the same object as they arrive.
   * Without `needsBody`, the body is not read.
   */
  readonly onHeaders: (response: RawResponse) => { readonly needsBody: boolean };
}

/** Maximum number of body chunks, which limits the processor time for a body in very small chunks. */
const MAX_CHUNKS = 4096;

/** Maximum number of interim (1xx) responses before the final response. */
const MAX_INTERIM_RESPONSES = 8;

function toPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}

function collectBody(
  message: IncomingMessage,
  input: ExchangeInput,
  { resolve, reject }: DeadlineControls<RawResponse>,
): void {
  const response: RawResponse = {
    status: message.statusCode ?? 0,
    headers: toPairs(message.rawHeaders),
    chunks: [],
    isTruncated: false,
  };
  if (!input.onHeaders(response).needsBody) {
    resolve(response);
    return;
  }
  let size = 0;
  message.on('data', (chunk: Uint8Array) => {
    if (response.isTruncated) return;
    response.chunks.push(chunk);
    size += chunk.length;
    response.isTruncated = size > input.limits.bodyBytes || response.chunks.length >= MAX_CHUNKS;
    if (response.isTruncated) resolve(response);
  });
  message.once('end', () => resolve(response));
  message.once('error', reject);
  message.once('close', () => {
    if (!message.complete) reject(new ProbeFailure('ECONNRESET', 'connection closed within the body'));
  });
}

/**
 * Sends one request over an open connection, and reads the response to its end or to the body limit. The caller closes
 * the connection. After a failure, the object passed to `onHeaders` contains the received part of the response.
 *
 * @returns the response; rejects at a deadline or with an error of Node or llhttp
 */
export function exchange(socket: Socket, input: ExchangeInput): Promise<RawResponse> {
  const { method, path, headers, limits } = input;
  return runWithDeadline<RawResponse>(Math.min(limits.firstByteMs, input.getRemainingMs()), (controls) => {
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: limits.headerBytes,
    });
    // Disables the limit at which Node silently drops header fields: 2,000 by default. `maxHeaderSize` limits the total
    // size of the header fields.
    request.maxHeadersCount = 0;
    let interimCount = 0;
    let hasResponse = false;
    request.once('socket', () =>
      socket.prependOnceListener('data', () => {
        input.onFirstByte();
        controls.setDeadline(input.getRemainingMs());
      }),
    );
    request.on('information', () => {
      interimCount += 1;
      if (interimCount > MAX_INTERIM_RESPONSES)
        controls.reject(new ProbeFailure(BAD_RESPONSE_CODE, 'too many interim responses'));
    });
    request.once('upgrade', () =>
      controls.reject(
        new ProbeFailure(BAD_RESPONSE_CODE, 'the server switched protocols without a request to'),
      ),
    );
    request.once('response', (message) => {
      hasResponse = true;
      collectBody(message, input, controls);
    });
    request.on('error', controls.reject);
    request.once('close', () => {
      if (!hasResponse)
        controls.reject(new ProbeFailure('ECONNRESET', 'connection closed without a response'));
    });
    request.end(input.body ?? undefined);
  });
}
