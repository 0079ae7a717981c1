import { EmbedderError, type Embedder } from '@touchstone/search';
import type { Db } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createNearestSearch } from './find-nearest.ts';

const MATCH = { ...{ slug: 'a', resource: 'https://a.example/', description: null, similarity: 0.7 } };
const MATCHES = [{ ...MATCH, endpointId: 'abcdefgh27', score: null, grade: null, confidence: null }];

/** Creates a search over a database with one match, and records the calls of the embedder. */
function open(embed: Embedder['embed'] | null, isComplete = true) {
  const calls: (readonly string[])[] = [];
  const rpc = () => Promise.resolve({ data: { isComplete, matches: MATCHES }, error: null });
  const embedder = embed && {
    model: 'm',
    embed: (texts: readonly string[]) => {
      calls.push(texts);
      return embed(texts);
    },
  };
  // The search calls only these members.
  const context = { db: { rpc } as unknown as Db, embedder: embedder as Embedder | null };
  const search = createNearestSearch(context);
  return { calls, find: (text: string) => search(text, (query) => query()) };
}

const embedAll = (texts: readonly string[]) => Promise.resolve(texts.map(() => [1]));

it('embeds a text and its expansion once', async () => {
  const { calls, find } = open(embedAll);
  expect(await find('TTS')).toEqual(['abcdefgh27']);
  expect(await find('tts')).toEqual(['abcdefgh27']);
  expect(calls).toEqual([['TTS', expect.stringContaining('speech')]]);
});

it('finds nothing to compare without an embedder, after a failure, and while the catalog is being embedded', async () => {
  const failing = () => Promise.reject(new EmbedderError('down'));
  expect(await open(null).find('llm')).toBeNull();
  expect(await open(failing).find('llm')).toBeNull();
  expect(await open(embedAll, false).find('llm')).toBeNull();
});

it('embeds one text at a time, and refuses a text while 8 texts wait', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { calls, find } = open(async (texts) => {
    await released;
    return texts.map(() => [1]);
  });
  const searches = Array.from({ length: 9 }, (_, index) => find(`text ${String(index)}`));
  expect(await find('one more')).toBeNull();
  expect(calls).toHaveLength(1);
  release();
  expect(await Promise.all(searches)).toEqual(Array(9).fill(['abcdefgh27']));
});
