import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compress, decompress } from './compress.ts';

const body = Buffer.from('<p>page</p>'.repeat(1000));

it('compresses a body so that clients can decode it', async () => {
  expect(await decompress(await compress(body, 'gzip'))).toEqual(body);
  expect(brotliDecompressSync(await compress(body, 'br'))).toEqual(body);
});

it.each(['br', 'gzip'] as const)('keeps no memory but the bytes of the %s body', async (encoding) => {
  const compressed = await compress(body, encoding);
  expect(compressed.buffer.byteLength).toBe(compressed.length);
});
