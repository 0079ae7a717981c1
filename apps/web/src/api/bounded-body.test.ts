import { describe, expect, it } from 'vitest';
import { exceedsLimit } from './bounded-body.ts';

const LIMIT = 64 * 1024;

/** A body of so many bytes that does not say how many, and how many of them were read. */
function stream(bytes: number) {
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (given >= bytes) controller.close();
      else controller.enqueue(new Uint8Array(Math.min(1024, bytes - given)));
      given += 1024;
    },
  });
  // The DOM's types do not know yet that a body that is a stream needs it.
  const init: RequestInit & { readonly duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return { request: new Request('http://localhost', init), given: () => given };
}

describe('exceedsLimit', () => {
  it.each([
    [0, false],
    [LIMIT, false],
    [LIMIT + 1, true],
  ])('judges a body of %i bytes', async (bytes, expected) => {
    expect(await exceedsLimit(stream(bytes).request)).toBe(expected);
    const headers = { 'content-length': String(bytes) };
    const declared = new Request('http://localhost', { method: 'POST', body: 'x', headers });
    expect(await exceedsLimit(declared)).toBe(expected);
  });

  it('reads no more of a long body than it must', async () => {
    const { request, given } = stream(10 * 1024 * 1024);
    expect(await exceedsLimit(request)).toBe(true);
    expect(given()).toBeLessThan(LIMIT + 8 * 1024);
  });
});
