import { describe, expect, it } from 'vitest';
import { startServer } from '../testing/serve.ts';
import { openNetwork } from './open-network.ts';

describe('openNetwork', () => {
  it.each([
    [500_000, false],
    [1_100_000, true],
  ])('reads at most one megabyte of a body; of %i bytes, truncated: %s', async (size, isTruncated) => {
    await using server = await startServer((_, response) => response.end('x'.repeat(size)));
    const url = new URL(`http://127.0.0.1:${String(server.port)}/`);
    const options = { allowPrivate: true, caFile: undefined, sandboxDir: undefined };
    const { prober } = await openNetwork(url, options);
    const { body, bodyEnd } = await prober({ url: url.href, methods: ['GET'] });
    expect([body?.length, bodyEnd === 'size-limit']).toEqual([Math.min(size, 1024 * 1024), isTruncated]);
  });
});
