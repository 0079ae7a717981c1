import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../../testing/collect.ts';
import { readLines, type Line } from './read-lines.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size)
    yield await Promise.resolve(bytes.subarray(from, from + size));
}

async function collectLines(text: string, { size = 3, limit = 1_000 } = {}): Promise<readonly Line[]> {
  return collect(readLines(inChunks(Buffer.from(text), size), limit));
}

describe('readLines', () => {
  it('reads the same lines from chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[ a-zé漢😀]{1,9}$/u), { minLength: 1 }),
        fc.integer({ min: 1, max: 20 }),
        async (texts, size) => {
          const lines = await collectLines(texts.join('\n'), { size });
          expect(lines).toEqual(texts.map((text, index) => ({ number: index + 1, text })));
        },
      ),
    );
  });

  it('counts empty lines and needs no line feed after the last line', async () => {
    expect(await collectLines('a\n\nb')).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: '' },
      { number: 3, text: 'b' },
    ]);
    expect(await collectLines('a\n')).toHaveLength(1);
    expect(await collectLines('')).toEqual([]);
  });

  it('returns null as the text of a line that is too long', async () => {
    const lines = await collectLines(`${'x'.repeat(20)}\nshort\n${'y'.repeat(11)}`, { limit: 10 });
    expect(lines.map(({ text }) => text)).toEqual([null, 'short', null]);
  });

  it('drops a byte order mark', async () => {
    expect(await collectLines('\ufeff{}')).toEqual([{ number: 1, text: '{}' }]);
  });
});
