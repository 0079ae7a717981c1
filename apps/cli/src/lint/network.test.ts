import { describe, expect, it } from 'vitest';
import { serve } from '../testing/serve.ts';
import { openNetwork } from './network.ts';

describe('the network', () => {
  it.each([
    [500_000, false],
    [1_100_000, true],
  ])('reads a megabyte of body: of %i bytes some are left out: %s', async (size, isCut) => {
    await using server = await serve((_, response) => response.end('x'.repeat(size)));
    const url = new URL(`http://127.0.0.1:${String(server.port)}/`);
    const options = { allowPrivate: true, caFile: undefined, sandboxDir: undefined };
    const { prober } = await openNetwork(url, options);
    const { body, bodyTruncated } = await prober({ url: url.href, methods: ['GET'] });
    expect([body?.length, bodyTruncated]).toEqual([Math.min(size, 1024 * 1024), isCut]);
  });
});
