import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Encodings of stored responses, the preferred one first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type ContentEncoding = (typeof ENCODINGS)[number];

/** Maximum length of an `Accept-Encoding` header that is parsed. A longer header gets a response without encoding. */
const MAX_HEADER_LENGTH = 200;

/** Quality of Brotli. Higher levels need several times the CPU time for a few percent of the size. */
const BROTLI_QUALITY = 5;

/** Results by header. Clients send few different headers. */
const negotiated = new LRUCache<string, ContentEncoding>({ max: 500 });

/**
 * Returns the encoding for a client (RFC 9110, section 12.5.3). If the client accepts no encoding, it is `identity`,
 * because the RFC allows a response that the client did not ask for.
 *
 * @param header `Accept-Encoding` as received. Without this header, it is `identity`, because such clients often cannot
 * decode.
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
