import fc from 'fast-check';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BodyTooLargeError, readBoundedBytes, readBoundedText } from './bounded-body.ts';

describe('readBoundedBytes', () => {
  it('returns the bytes of any chunks up to the limit and throws above it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), fc.nat(200), async (chunks, maxBytes) => {
        const whole = Buffer.concat(chunks);
        const read = readBoundedBytes(Readable.from(chunks, { objectMode: true }), maxBytes);
        if (whole.length > maxBytes) await expect(read).rejects.toThrow(BodyTooLargeError);
        else expect(Buffer.from(await read).equals(whole)).toBe(true);
      }),
    );
  });

  it('returns zero bytes for a missing body', async () => {
    expect(await readBoundedBytes(null, 0)).toHaveLength(0);
  });

  it('cancels the stream when the limit is passed', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(10));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    await expect(readBoundedBytes(endless, 25)).rejects.toThrow('longer than 25 bytes');
    expect(isCancelled).toBe(true);
  });
});

describe('readBoundedText', () => {
  it('refuses a clone that is too large while the original response stays readable', async () => {
    const response = new Response('x'.repeat(100));
    await expect(readBoundedText(response.clone().body, 10)).rejects.toThrow(BodyTooLargeError);
    expect(await response.text()).toHaveLength(100);
  });

  it('decodes a character that two chunks share', async () => {
    const [first, ...rest] = new TextEncoder().encode('€ 5');
    const chunks = [Uint8Array.of(first ?? 0), Uint8Array.from(rest)];
    expect(await readBoundedText(Readable.from(chunks, { objectMode: true }), 10)).toBe('€ 5');
  });

  it('reads the body of a Fetch API response', async () => {
    expect(await readBoundedText(new Response('{"a":1}').body, 100)).toBe('{"a":1}');
  });
});
