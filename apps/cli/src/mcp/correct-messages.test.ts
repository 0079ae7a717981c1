import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { correctMessages } from './correct-messages.ts';

it.each([1, 1_000, 50_000])('corrects the messages of chunks of %d bytes', async (size) => {
  const params = { query: 'a\u2028b \u{1f324}', _meta: null };
  const unchanged = `{"params"\n\n${'['.repeat(10_000)}${']'.repeat(10_000)}\n`;
  // The last line has no end.
  const sent = Buffer.from(`${JSON.stringify({ params })}\r\n${unchanged}${JSON.stringify([{ params }])}`);
  const count = Math.ceil(sent.length / size);
  const chunks = Array.from({ length: count }, (_, at) => sent.subarray(at * size, (at + 1) * size));
  const { query } = params;
  const message = { params: { query } };
  expect(await text(Readable.from(chunks, { objectMode: false }).pipe(correctMessages()))).toBe(
    `${JSON.stringify(message)}\n${unchanged}${JSON.stringify([message])}\n`,
  );
});
