import { describe, expect, it } from 'vitest';
import { exceedsBodyLimit } from './preview-route.ts';

const LIMIT = 64 * 1024;

/**
 * Creates a request with a stream of `bytes` bytes as its body, and a function that returns the number of bytes read.
 * Such a request has no `Content-Length`.
 */
function createStreamRequest(bytes: number) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (read >= bytes) controller.close();
      else controller.enqueue(new Uint8Array(Math.min(1024, bytes - read)));
      read += 1024;
    },
  });
  // A request with a stream as its body needs `duplex`, which is missing in the DOM types.
  const init: RequestInit & { readonly duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return { request: new Request('http://localhost', init), bytesRead: () => read };
}

describe('exceedsBodyLimit', () => {
  it.each([
    [0, false],
    [LIMIT, false],
    [LIMIT + 1, true],
  ])('for a body of %i bytes returns %s', async (bytes, expected) => {
    expect(await exceedsBodyLimit(createStreamRequest(bytes).request)).toBe(expected);
    const headers = { 'content-length': String(bytes) };
    const declared = new Request('http://localhost', { method: 'POST', body: 'x', headers });
    expect(await exceedsBodyLimit(declared)).toBe(expected);
  });

  it('stops reading just above the limit', async () => {
    const { request, bytesRead } = createStreamRequest(10 * 1024 * 1024);
    expect(await exceedsBodyLimit(request)).toBe(true);
    expect(bytesRead()).toBeLessThan(LIMIT + 8 * 1024);
  });
});
