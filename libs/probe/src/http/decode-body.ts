import type { Transform } from 'node:stream';
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
import { BAD_CODING_CODE, toFailure } from '../outcome/classify-outcome.ts';
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

/**
 * Selects the decoder. "deflate" means the zlib format (RFC 9110, section 8.4.1.2), but some servers send raw deflate
 * data under this name.
 */
function selectDecoder(coding: string, raw: Uint8Array): Decoder | 'none' | 'unknown' {
  if (coding === '' || coding === 'identity') return 'none';
  if (coding === 'gzip' || coding === 'x-gzip') return gzip;
  if (coding === 'br') return brotli;
  if (coding === 'deflate') return ((raw[0] ?? 0) & 0x0f) === 8 ? zlib : rawDeflate;
  return 'unknown';
}

export interface DecodedBody {
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

async function decodeWith(decoder: Decoder, raw: Uint8Array, limit: number): Promise<DecodedBody> {
  try {
    return { text: utf8.decode(decoder.decodeWhole(raw, limit)), truncated: false, failure: null };
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooLarge) throw error;
  }
  return { text: utf8.decode(await decodeStart(raw, decoder, limit)), truncated: true, failure: null };
}

/**
 * Removes the content coding of a body and decodes the result as UTF-8. Longer output is truncated at the limit, so a
 * decompression bomb costs no more than an ordinary body. Bodies within the limit are decoded synchronously, because a
 * stream for each body would need seven times the processor time.
 *
 * @param raw the encoded body, already truncated at the limit
 * @param contentEncoding value of the `Content-Encoding` header; empty without this header
 * @param limit maximum length after decoding, in bytes
 * @returns the text, and true in `truncated` when it is incomplete; a failure and an empty text when the coding is
 * unknown or the data is invalid
 */
export async function decodeBody(
  raw: Uint8Array,
  contentEncoding: string,
  limit: number,
): Promise<DecodedBody> {
  const decoder = selectDecoder(contentEncoding.trim().toLowerCase(), raw);
  if (decoder === 'none' || raw.length === 0) {
    return { text: utf8.decode(raw.subarray(0, limit)), truncated: raw.length > limit, failure: null };
  }
  if (decoder === 'unknown') {
    const message = 'the content coding was not offered in Accept-Encoding';
    return { text: '', truncated: true, failure: { phase: 'transfer', code: BAD_CODING_CODE, message } };
  }
  return decodeWith(decoder, raw, limit).catch((error: unknown) => {
    return { text: '', truncated: true, failure: toFailure('transfer', error) };
  });
}
