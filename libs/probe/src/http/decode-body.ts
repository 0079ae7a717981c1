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
import { BAD_CODING_CODE, toFailure } from '../outcome/failure.ts';
import type { Probe } from '../types.ts';

interface Coding {
  readonly whole: (raw: Uint8Array, maxOutputLength: number) => Uint8Array;
  readonly stream: () => Transform;
}

// A body that was cut at the limit ends in the middle of its coding: flushing gives what is there.
const zlibEnd = { finishFlush: constants.Z_SYNC_FLUSH };
const brotliEnd = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const gzip: Coding = {
  whole: (raw, maxOutputLength) => gunzipSync(raw, { ...zlibEnd, maxOutputLength }),
  stream: () => createGunzip(zlibEnd),
};
const brotli: Coding = {
  whole: (raw, maxOutputLength) => brotliDecompressSync(raw, { ...brotliEnd, maxOutputLength }),
  stream: () => createBrotliDecompress(brotliEnd),
};
const zlibWrapped: Coding = {
  whole: (raw, maxOutputLength) => inflateSync(raw, { ...zlibEnd, maxOutputLength }),
  stream: () => createInflate(zlibEnd),
};
const bareDeflate: Coding = {
  whole: (raw, maxOutputLength) => inflateRawSync(raw, { ...zlibEnd, maxOutputLength }),
  stream: () => createInflateRaw(zlibEnd),
};

/** "deflate" means the zlib format (RFC 9110, section 8.4.1.2), but some servers send it bare. */
function codingOf(name: string, raw: Uint8Array): Coding | 'none' | 'unknown' {
  if (name === '' || name === 'identity') return 'none';
  if (name === 'gzip' || name === 'x-gzip') return gzip;
  if (name === 'br') return brotli;
  if (name === 'deflate') return ((raw[0] ?? 0) & 0x0f) === 8 ? zlibWrapped : bareDeflate;
  return 'unknown';
}

export interface DecodedBody {
  readonly text: string;
  readonly truncated: boolean;
  readonly failure: Probe['failure'];
}

const utf8 = new TextDecoder();

/** The first bytes of a body too large to decode whole, which is no more than is read of it. */
async function decodeStart(raw: Uint8Array, coding: Coding, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const decoder = coding.stream();
  decoder.end(raw);
  for await (const piece of decoder) {
    if (!(piece instanceof Uint8Array)) continue;
    pieces.push(piece);
    size += piece.length;
    if (size >= limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit);
}

async function decodeCoded(raw: Uint8Array, coding: Coding, limit: number): Promise<DecodedBody> {
  try {
    return { text: utf8.decode(coding.whole(raw, limit)), truncated: false, failure: null };
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!tooLarge) throw error;
  }
  return { text: utf8.decode(await decodeStart(raw, coding, limit)), truncated: true, failure: null };
}

/**
 * Undoes the content coding of a body and reads it as UTF-8. Small bodies are decoded at once, because a stream
 * for each costs seven times the processor time; no more than the limit is ever produced, so a decompression bomb
 * costs what an honest body costs.
 *
 * @param raw - The coded body, already cut at the limit.
 * @param contentEncoding - The value of `Content-Encoding`, empty when there is none.
 * @param limit - Bytes after decoding.
 * @returns The text and whether it was cut; a failure when the coding is unknown or broken, then without text.
 */
export async function decodeBody(
  raw: Uint8Array,
  contentEncoding: string,
  limit: number,
): Promise<DecodedBody> {
  const coding = codingOf(contentEncoding.trim().toLowerCase(), raw);
  if (coding === 'none' || raw.length === 0) {
    return { text: utf8.decode(raw.subarray(0, limit)), truncated: raw.length > limit, failure: null };
  }
  if (coding === 'unknown') {
    const message = 'a content coding that was not asked for';
    return { text: '', truncated: true, failure: { phase: 'transfer', code: BAD_CODING_CODE, message } };
  }
  return decodeCoded(raw, coding, limit).catch((error: unknown) => {
    return { text: '', truncated: true, failure: toFailure('transfer', error) };
  });
}
