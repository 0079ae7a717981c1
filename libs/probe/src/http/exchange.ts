import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { BodyEnd } from '@touchstone/common';
import { runWithDeadline, type DeadlineControls } from '../connection/run-with-deadline.ts';
import {
  BAD_RESPONSE_CODE,
  HTTP2_CODE,
  NO_STATUS_LINE_CODE,
  ProbeFailure,
  toFailure,
} from '../outcome/classify-outcome.ts';
import type { ProbeLimits } from '../types.ts';

/** The part of a response that was received, also after a failure. */
export interface RawResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Returns the received part of the encoded body, up to the body limit. */
  readonly readBody: () => Uint8Array;
  /** End of the received body, unless a failure ended it. `readBody` returns a part of the body if it is incomplete. */
  bodyEnd: Extract<BodyEnd, 'complete' | 'size-limit' | 'too-long'>;
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
  /** Called with the status of each interim (1xx) response. */
  readonly onInterim: (status: number) => void;
  /**
   * Called when the header section is complete. The body is added to the same object as it arrives. Without
   * `needsBody`, the body is not read.
   */
  readonly onHeaders: (response: RawResponse) => { readonly needsBody: boolean };
}

const PAYMENT_REQUIRED = 402;
/**
 * Maximum length of the encoded body of a challenge beyond the body limit, in bytes. Clients read this body to its end
 * before they pay, so this part is received too, but not kept.
 */
const MAX_UNKEPT_BYTES = 4 * 1024 * 1024;
/** Minimum length that a chunk counts for in `MAX_UNKEPT_BYTES`, in bytes, because each chunk costs CPU time. */
const MIN_CHUNK_BYTES = 256;

/** Maximum number of interim (1xx) responses before the final response. */
const MAX_INTERIM_RESPONSES = 100;

function toPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}

/**
 * Creates a buffer that grows up to a maximum size. Copying each chunk into one buffer limits the memory for a body in
 * very small chunks.
 */
function createByteBuffer(maxBytes: number) {
  let bytes = Buffer.alloc(0);
  let size = 0;
  return {
    read: (): Uint8Array => bytes.subarray(0, size),
    /** Appends as many bytes as the maximum size allows. Returns false when bytes were left out. */
    append: (chunk: Uint8Array): boolean => {
      const part = chunk.subarray(0, maxBytes - size);
      const needed = size + part.length;
      if (needed > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
        bytes.copy(grown, 0, 0, size);
        bytes = grown;
      }
      bytes.set(part, size);
      size = needed;
      return part.length === chunk.length;
    },
  };
}

/**
 * Returns true when a connection error ends the body without making the body incomplete: bytes after a complete body
 * are ignored, and a reset connection ends a body of unknown length. Node's fetch decides the same.
 */
function endsBody(error: Error, { complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  return !hasLength && 'code' in error && error.code === 'ECONNRESET';
}

function collectBody(
  message: IncomingMessage,
  input: ExchangeInput,
  { resolve, reject }: DeadlineControls<RawResponse>,
): void {
  const buffer = createByteBuffer(input.limits.bodyBytes);
  const response: RawResponse = {
    status: message.statusCode ?? 0,
    headers: toPairs(message.rawHeaders),
    readBody: buffer.read,
    bodyEnd: 'complete',
  };
  if (!input.onHeaders(response).needsBody) {
    resolve(response);
    return;
  }
  let unkeptBytes = 0;
  message.on('data', (chunk: Uint8Array) => {
    if (buffer.append(chunk)) return;
    unkeptBytes += Math.max(chunk.length, MIN_CHUNK_BYTES);
    const isTooLong = unkeptBytes > MAX_UNKEPT_BYTES;
    response.bodyEnd = isTooLong ? 'too-long' : 'size-limit';
    if (isTooLong || response.status !== PAYMENT_REQUIRED) resolve(response);
  });
  message.once('end', () => resolve(response));
  message.once('error', (error) => {
    if (endsBody(error, message)) resolve(response);
    else reject(error);
  });
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
    let response: IncomingMessage | null = null;
    request.once('socket', () =>
      socket.prependOnceListener('data', () => {
        input.onFirstByte();
        controls.setDeadline(input.getRemainingMs());
      }),
    );
    request.on('information', ({ statusCode }) => {
      input.onInterim(statusCode);
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
      response = message;
      collectBody(message, input, controls);
    });
    request.on('error', (error) => {
      if (response === null || !endsBody(error, response)) controls.reject(recognizeHttp2(error));
    });
    request.once('close', () => {
      if (response === null)
        controls.reject(new ProbeFailure('ECONNRESET', 'connection closed without a response'));
    });
    request.end(input.body ?? undefined);
  });
}

const FRAME_HEADER_BYTES = 9;
const SETTINGS = 4;
const GOAWAY = 7;

/**
 * Returns a failure with `HTTP2_CODE` for an error of Node's HTTP/1.1 parser when the server sent an HTTP/2 frame for
 * the whole connection (RFC 9113, section 4.1); any other error unchanged.
 */
function recognizeHttp2(error: Error): Error {
  // Node adds the received data to errors of the parser.
  const packet = 'rawPacket' in error ? error.rawPacket : null;
  if (toFailure('transfer', error).code !== NO_STATUS_LINE_CODE) return error;
  if (!Buffer.isBuffer(packet) || packet.length < FRAME_HEADER_BYTES) return error;
  const type = packet[3];
  const isFrame = packet[0] === 0 && (type === SETTINGS || type === GOAWAY) && packet.readUInt32BE(5) === 0;
  return isFrame ? new ProbeFailure(HTTP2_CODE, 'the server sent an HTTP/2 frame') : error;
}
