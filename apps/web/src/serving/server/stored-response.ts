import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeBody, negotiateEncoding, type ContentEncoding } from './content-encoding.ts';

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

  /** Sends the response. Headers and body are one write, because a second one waits for the client's acknowledgement. */
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
      // The next request tries again, and this one gets the body without encoding.
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

  /** Returns the header `ETag`. The encoded bodies are other bytes, so their tag is weak (RFC 9110, section 8.8.3.3). */
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
