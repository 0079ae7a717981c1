import type { Transform } from 'node:stream';
// Node.js 20 has no zstd. A named import of its functions would end the program there.
import * as nodeZlib from 'node:zlib';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { MAX_CONTENT_CODINGS } from '@touchstone/common';
import { BAD_RESPONSE_CODE, ProbeFailure, toFailure } from '../outcome/classify-outcome.ts';
import type { Probe } from '../types.ts';

/** Decoder of one content coding, such as gzip. */
interface Decoder {
  readonly decodeWhole: (raw: Uint8Array, maxOutputLength: number) => Uint8Array;
  readonly createStream: () => Transform;
}

// A body that was truncated at the limit has an incomplete end. These flush modes decode the available part.
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const gzip: Decoder = {
  decodeWhole: (raw, maxOutputLength) => gunzipSync(raw, { ...zlibOptions, maxOutputLength }),
  createStream: () => createGunzip(zlibOptions),
};
const brotli: Decoder = {
  decodeWhole: (raw, maxOutputLength) => brotliDecompressSync(raw, { ...brotliOptions, maxOutputLength }),
  createStream: () => createBrotliDecompress(brotliOptions),
};
const zlib: Decoder = {
  decodeWhole: (raw, maxOutputLength) => inflateSync(raw, { ...zlibOptions, maxOutputLength }),
  createStream: () => createInflate(zlibOptions),
};
const rawDeflate: Decoder = {
  decodeWhole: (raw, maxOutputLength) => inflateRawSync(raw, { ...zlibOptions, maxOutputLength }),
  createStream: () => createInflateRaw(zlibOptions),
};

const zstd: Decoder = {
  decodeWhole: (raw, maxOutputLength) => nodeZlib.zstdDecompressSync(raw, { maxOutputLength }),
  createStream: () => nodeZlib.createZstdDecompress(),
};

/**
 * Selects the decoder. "deflate" means the zlib format (RFC 9110, section 8.4.1.2), but some servers send raw deflate
 * data under this name.
 */
function selectDecoder(coding: string, raw: Uint8Array): Decoder {
  if (coding === 'br') return brotli;
  if (coding === 'zstd') return zstd;
  if (coding === 'deflate') return ((raw[0] ?? 0) & 0x0f) === 8 ? zlib : rawDeflate;
  return gzip;
}

const KNOWN_CODINGS: ReadonlySet<string> = new Set([
  ...['gzip', 'x-gzip', 'br', 'deflate'],
  ...('zstdDecompressSync' in nodeZlib ? ['zstd'] : []),
]);

/**
 * Returns the codings of a body in the order in which they are removed. Like Node's fetch, returns no coding when the
 * list contains an unknown coding: the body is then used as it is.
 *
 * @throws ProbeFailure for a list that Node's fetch rejects because of its length
 */
function readCodings(contentEncoding: string): readonly string[] {
  if (contentEncoding === '') return [];
  const codings = contentEncoding.toLowerCase().split(',').reverse();
  if (codings.length > MAX_CONTENT_CODINGS)
    throw new ProbeFailure(BAD_RESPONSE_CODE, `more than ${MAX_CONTENT_CODINGS} content codings`);
  const names = codings.map((coding) => coding.trim());
  return names.every((name) => KNOWN_CODINGS.has(name)) ? names : [];
}

export interface DecodedBody {
  /** Body without content coding, truncated at the limit. */
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly truncated: boolean;
  readonly failure: Probe['failure'];
}

const utf8 = new TextDecoder();

/** Decodes a body up to `limit` bytes of output. */
async function decodeStart(raw: Uint8Array, decoder: Decoder, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = decoder.createStream();
  stream.end(raw);
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Removes one coding. Output beyond the limit is left out, and `isTruncated` is then true. */
async function removeCoding(
  coding: string,
  raw: Uint8Array,
  limit: number,
): Promise<{ readonly bytes: Uint8Array; readonly isTruncated: boolean }> {
  const decoder = selectDecoder(coding, raw);
  try {
    return { bytes: decoder.decodeWhole(raw, limit), isTruncated: false };
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooLarge) throw error;
  }
  return { bytes: await decodeStart(raw, decoder, limit), isTruncated: true };
}

/**
 * Removes the content codings of a body as Node's fetch does, and decodes the result as UTF-8. The output of each coding
 * is truncated at the limit, so a decompression bomb costs no more than an ordinary body. Bodies within the limit are
 * decoded synchronously, because a stream for each body would need seven times the processor time.
 *
 * @param raw the encoded body, of at most `limit` bytes
 * @param contentEncoding values of the `Content-Encoding` headers, separated by commas; empty without this header
 * @param limit maximum length after each coding, in bytes
 * @returns the text, and true in `truncated` when it is incomplete; a failure and an empty text when the data is invalid
 */
export async function decodeBody(
  raw: Uint8Array,
  contentEncoding: string,
  limit: number,
): Promise<DecodedBody> {
  try {
    let bytes = raw;
    let truncated = false;
    for (const coding of readCodings(contentEncoding)) {
      if (bytes.length === 0) break;
      const decoded = await removeCoding(coding, bytes, limit);
      bytes = decoded.bytes;
      truncated ||= decoded.isTruncated;
    }
    return { bytes, text: utf8.decode(bytes), truncated, failure: null };
  } catch (error) {
    return { bytes: new Uint8Array(), text: '', truncated: true, failure: toFailure('transfer', error) };
  }
}
