import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Names and values of headers, alternating. */
type RawHeaders = readonly string[];

interface EncodedResponse {
  readonly body: Buffer;
  readonly headers: string[];
}

export interface StoredResponseOptions {
  /** Headers without those that depend on the encoding, such as `Content-Length` and `ETag`. */
  readonly headers: RawHeaders;
  /** Strong entity tag of the body without encoding; undefined if the response has none. */
  readonly etag: string | undefined;
  readonly body: string | Buffer;
  /**
   * Time at which the response was created, in milliseconds since 1970, from which its `Age` is computed; undefined if
   * caches ask the site before each use.
   */
  readonly createdAt?: number | undefined;
  /** Encoder of the body; by default `encodeBody`. */
  readonly encode?: typeof encodeBody;
}

/** Response with status 200 in memory. Each encoding is computed once, for its first request. */
export class StoredResponse {
  readonly #headers: RawHeaders;
  readonly #etag: string | undefined;
  readonly #body: Buffer;
  readonly #createdAt: number | undefined;
  readonly #encodeBody: typeof encodeBody;
  /** Bodies by encoding. During its computation, an encoding has a promise. */
  readonly #encoded = new Map<ContentEncoding, EncodedResponse | Promise<EncodedResponse>>();

  constructor({ headers, etag, body, createdAt, encode = encodeBody }: StoredResponseOptions) {
    this.#encodeBody = encode;
    this.#headers = addVary(headers);
    this.#createdAt = createdAt;
    this.#etag = etag;
    this.#body = typeof body === 'string' ? Buffer.from(body) : body;
  }

  /** Size in memory with all encodings, in bytes. Encoded text is shorter than half of the text. */
  get bytes(): number {
    return 2 * this.#body.length + this.#headers.join('').length;
  }

  /**
   * Sends the response. Headers and body are one write, because a second write waits for the client's acknowledgement.
   */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = negotiateEncoding(request.headers['accept-encoding']?.toString());
    if (this.#etag !== undefined && isKnown(request.headers['if-none-match'], this.#etag)) {
      response.writeHead(304, [...this.#headers, ...this.#formatTag(encoding), ...this.#formatAge()]).end();
      return;
    }
    const found = this.#encoded.get(encoding) ?? this.#startEncoding(encoding);
    const { headers, body } = found instanceof Promise ? await found : found;
    response
      .writeHead(200, [...headers, ...this.#formatAge()])
      .end(request.method === 'HEAD' ? undefined : body);
  }

  #startEncoding(encoding: ContentEncoding): Promise<EncodedResponse> {
    const started = this.#encode(encoding).catch((error: unknown) => {
      // The next request tries again. The current request gets the body without encoding.
      this.#encoded.delete(encoding);
      if (encoding === 'identity') throw error;
      return this.#encode('identity');
    });
    this.#encoded.set(encoding, started);
    return started;
  }

  async #encode(encoding: ContentEncoding): Promise<EncodedResponse> {
    const body = await this.#encodeBody(this.#body, encoding);
    const headers = [...this.#headers, 'Content-Length', String(body.length)];
    if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
    headers.push(...this.#formatTag(encoding));
    const encoded = { body, headers };
    this.#encoded.set(encoding, encoded);
    return encoded;
  }

  /**
   * Returns the header `ETag`. The encoded bodies are other bytes, so their tag is weak (RFC 9110, section 8.8.3.3).
   */
  #formatTag(encoding: ContentEncoding): RawHeaders {
    if (this.#etag === undefined) return [];
    return ['ETag', encoding === 'identity' ? this.#etag : `W/${this.#etag}`];
  }

  /** Returns the header `Age`, so that other caches do not keep the response for longer (RFC 9111, section 5.1). */
  #formatAge(): RawHeaders {
    if (this.#createdAt === undefined) return [];
    return ['Age', String(Math.floor((Date.now() - this.#createdAt) / 1000))];
  }
}

/** Adds `Vary: Accept-Encoding`, because the body depends on this header. */
function addVary(headers: RawHeaders): RawHeaders {
  const hasVary = headers.some(
    (name, index) =>
      index % 2 === 0 &&
      name.toLowerCase() === 'vary' &&
      /accept-encoding|\*/i.test(headers[index + 1] ?? ''),
  );
  return hasVary ? headers : [...headers, 'Vary', 'Accept-Encoding'];
}

/** Returns true if the client has the current body, in any encoding (RFC 9110, section 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags[0] === '*';
}

/** Encodings of stored responses, the preferred one first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

type ContentEncoding = (typeof ENCODINGS)[number];

/** Maximum length of an `Accept-Encoding` header that is parsed. A longer header gets a response without encoding. */
const MAX_HEADER_LENGTH = 200;

/** Quality of Brotli. Higher levels need several times the CPU time for a few percent of the size. */
const BROTLI_QUALITY = 5;

/** Results by header. Clients send few different headers. */
const negotiated = new LRUCache<string, ContentEncoding>({ max: 500 });

/**
 * Returns the encoding for a client (RFC 9110, section 12.5.3). If the client accepts no encoding, the result is
 * `identity`, because the RFC allows a response that the client did not ask for.
 *
 * @param header `Accept-Encoding` as received. Without this header, the result is `identity`, because such clients
 * often cannot decode.
 */
export function negotiateEncoding(header: string | undefined): ContentEncoding {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const accepted = negotiator.encoding([...ENCODINGS], { preferred: [...ENCODINGS] });
  const encoding = ENCODINGS.find((name) => name === accepted) ?? 'identity';
  negotiated.set(header, encoding);
  return encoding;
}

/** Encodes a body in the thread pool of Node, so that the event loop continues. */
export async function encodeBody(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return body;
    case 'gzip':
      return promisify(gzip)(body);
    case 'br':
      return promisify(brotliCompress)(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
  }
}
