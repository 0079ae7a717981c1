import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';

/** Quality of Brotli. Higher levels need several times the CPU time for a few percent of the size. */
const BROTLI_QUALITY = 5;

/** Compresses a body in the thread pool of Node, so that the event loop is not blocked. */
export async function compress(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const compressed =
    encoding === 'gzip'
      ? await promisify(gzip)(body)
      : await promisify(brotliCompress)(body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        });
  // Node returns a part of a larger buffer, which would stay in memory as long as this part.
  const copy = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(copy);
  return copy;
}

/** Returns the body that was compressed with gzip. */
export const decompress: (compressed: Buffer) => Promise<Buffer> = promisify(gunzip);
