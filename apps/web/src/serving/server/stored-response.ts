import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { matchesEtag } from '../../api/read-request.ts';
import { compress, decompress } from '../compress.ts';

/** Names and values of headers, alternating. */
type RawHeaders = readonly string[];

export interface StoredResponseOptions {
  /** Headers that are equal for every encoding. `Content-Length` and `ETag` are left out. */
  readonly headers: RawHeaders;
  /** Strong entity tag of the body without encoding; undefined if the response has none. */
  readonly etag: string | undefined;
  /** Text, or a text that was compressed with gzip. The page cache shares the compressed bytes. */
  readonly body: string | Buffer;
}

/** Response with status 200 in memory. Each compressed body is computed once, for its first request. */
export class StoredResponse {
  readonly #headers: RawHeaders;
  readonly #etag: string | undefined;
  /** Body as stored, without encoding or with gzip. */
  readonly #stored: Buffer;
  readonly #storedEncoding: ContentEncoding;
  readonly #compressed = new Map<ContentEncoding, Promise<Buffer>>();

  constructor({ headers, etag, body }: StoredResponseOptions) {
    this.#headers = addVary(headers);
    this.#etag = etag;
    this.#stored = typeof body === 'string' ? Buffer.from(body) : body;
    this.#storedEncoding = typeof body === 'string' ? 'identity' : 'gzip';
  }

  /** Size in memory with all compressed bodies, in bytes. The estimate for these bodies is the length of the stored body. */
  get bytes(): number {
    return 2 * this.#stored.length + this.#headers.join('').length;
  }

  /**
   * Sends the response. Headers and body are one write, because a second write waits for the client's acknowledgement.
   */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = negotiateEncoding(request.headers['accept-encoding']?.toString());
    const headers = [...this.#headers, ...this.#formatTag(encoding)];
    if (this.#etag !== undefined && matchesEtag(request.headers['if-none-match'], this.#etag)) {
      response.writeHead(304, headers).end();
      return;
    }
    const body = await this.#encode(encoding);
    headers.push('Content-Length', String(body.length));
    if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
  }

  /** Returns the body with an encoding. The body without encoding is not kept, because few clients request it. */
  async #encode(encoding: ContentEncoding): Promise<Buffer> {
    if (encoding === this.#storedEncoding) return this.#stored;
    if (encoding === 'identity') return decompress(this.#stored);
    const compressed =
      this.#compressed.get(encoding) ?? this.#encode('identity').then((body) => compress(body, encoding));
    this.#compressed.set(encoding, compressed);
    return compressed.catch((error: unknown) => {
      // A failed compression is not kept, so the next request tries it again.
      this.#compressed.delete(encoding);
      throw error;
    });
  }

  /**
   * Returns the header `ETag`. A body with encoding has other bytes than the body without encoding, so its tag is weak
   * (RFC 9110, section 8.8.3.3).
   */
  #formatTag(encoding: ContentEncoding): RawHeaders {
    if (this.#etag === undefined) return [];
    return ['ETag', encoding === 'identity' ? this.#etag : `W/${this.#etag}`];
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

/** Encodings of stored responses, the preferred one first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

type ContentEncoding = (typeof ENCODINGS)[number];

/** Maximum length of an `Accept-Encoding` header that is parsed. A longer header gets a response without encoding. */
const MAX_HEADER_LENGTH = 200;

/**
 * Returns the encoding for a client (RFC 9110, section 12.5.3). If the client accepts none of the encodings, the result
 * is `identity`. The RFC allows this response.
 *
 * @param header `Accept-Encoding` as received. Without this header, the result is `identity`, because such clients
 * often cannot decode.
 */
export function negotiateEncoding(header: string | undefined): ContentEncoding {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const accepted = negotiator.encoding([...ENCODINGS], { preferred: [...ENCODINGS] });
  return ENCODINGS.find((name) => name === accepted) ?? 'identity';
}
