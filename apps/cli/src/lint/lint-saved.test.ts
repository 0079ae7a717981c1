import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../testing/collect.ts';
import { type Document, type Line, readDocuments, readLines } from './lint-saved.ts';

async function* numbered(texts: readonly (string | null)[]): AsyncGenerator<Line> {
  for (const [index, text] of texts.entries()) yield await Promise.resolve({ number: index + 1, text });
}

function collectDocuments(
  texts: readonly (string | null)[],
  limit = 1_000_000,
): Promise<readonly Document[]> {
  return collect(readDocuments(numbered(texts), limit));
}

/** Reads documents, and returns a pair for each: its line number, and its value or the word `fault`. */
async function outline(texts: readonly (string | null)[], limit?: number): Promise<unknown[]> {
  return (await collectDocuments(texts, limit)).map((document) => [
    document.line,
    'fault' in document ? 'fault' : document.json,
  ]);
}

const object = fc.dictionary(fc.string(), fc.jsonValue());

describe('readDocuments', () => {
  it('reads one document on each line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(object), async (given) => {
        const documents = await collectDocuments(given.map((value) => JSON.stringify(value)));
        // The expected values also pass through JSON, because JSON has no negative zero.
        const values = given.map((value): unknown => JSON.parse(JSON.stringify(value)));
        expect(documents.map((document) => ('json' in document ? document.json : document.fault))).toEqual(
          values,
        );
      }),
    );
  });

  it('accepts Windows line ends and empty lines between documents', async () => {
    expect(await outline(['{"a":1}\r', '\r', '{"b": 2}\r'])).toEqual([
      [1, { a: 1 }],
      [3, { b: 2 }],
    ]);
  });

  it('reads a single document in any layout', async () => {
    const value = { a: [1, { b: 'x' }], c: {} };
    const pretty = JSON.stringify(value, null, 2);
    const flat = pretty.replace(/^ +/gm, '');
    for (const text of [flat, pretty.replaceAll('\n', '\n\n'), `\n\n${flat}\n\n`, `{\n\t\n${flat.slice(1)}`])
      expect((await outline(text.split('\n'))).map((document) => (document as unknown[])[1])).toEqual([
        value,
      ]);
    expect((await outline(['', ...flat.split('\n')]))[0]).toEqual([2, value]);
  });

  it('yields the first document before it reads the rest', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Line> {
      for (;;) yield await Promise.resolve({ number: (read += 1), text: '{"a":1}' });
    }
    for await (const document of readDocuments(endless(), 1_000)) {
      expect(document).toEqual({ line: 1, json: { a: 1 } });
      break;
    }
    expect(read).toBeLessThan(3);
  });

  it('continues after an invalid line', async () => {
    expect(await outline(['{"a":1', 'nonsense', '{"a":', '{"b":2}', null, '{"c":3}'])).toEqual([
      [1, 'fault'],
      [2, 'fault'],
      [3, 'fault'],
      [4, { b: 2 }],
      [5, 'fault'],
      [6, { c: 3 }],
    ]);
  });

  it('reports each line of several documents over several lines as a fault', async () => {
    expect(await outline(['{', '  "a": 1', '}', '{', '  "b": 2', '}'])).toEqual(
      [1, 2, 3, 4, 5, 6].map((line) => [line, 'fault']),
    );
  });

  it('reads a text that exceeds the limit line by line', async () => {
    const endless = ['{', ...Array.from({ length: 20 }, () => '  "a": 1,'), '{"b":2}'];
    expect((await outline(endless, 50)).at(-1)).toEqual([22, { b: 2 }]);
  });
});

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
