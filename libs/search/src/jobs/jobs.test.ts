import { expect, it } from 'vitest';
import { createHttpEmbedder, EMBEDDING_DIMENSIONS } from '../index.ts';
import { REFERENCE_TEXT, REFERENCE_VECTOR } from '../vector-space/vectors.ts';
import { expandQuery, JOBS, selectJob } from './jobs.ts';

const PHRASES = JOBS.flatMap((job) => job.phrases);
const TRANSLATION = JOBS.find(({ id }) => id === 'translation')?.phrases ?? [];
const GREETING = JOBS.findLast(({ id }) => id === null)?.phrases ?? [];
/** Returns the similarities of a text that is similar only to the given phrases. */
const createSimilarities = (similar: Readonly<Record<string, number>>): readonly number[] =>
  PHRASES.map((phrase) => similar[phrase] ?? 0.2);

it('has unique ids and words, and at least two phrases for each job', () => {
  const ids = JOBS.flatMap(({ id }) => id ?? []);
  const words = JOBS.flatMap((job) => job.words);
  expect([ids.length, words.length]).toEqual([new Set(ids).size, new Set(words).size]);
  expect(new Set(PHRASES).size).toBe(PHRASES.length);
  expect(JOBS.filter(({ phrases }) => phrases.length < 2)).toEqual([]);
});

const [one = '', two = ''] = TRANSLATION;
const [hello = ''] = GREETING;
it.each<[text: string, similar: Readonly<Record<string, number>>, job: string | null]>([
  ['a text', { [one]: 0.7, [two]: 0.5 }, 'translation'],
  ['too far from all phrases', { [one]: 0.6, [two]: 0.3 }, null],
  ['too far without its word, i18n', { [one]: 0.6, [two]: 0.3 }, 'translation'],
  ['a word within a word: i18nx', { [one]: 0.6, [two]: 0.3 }, null],
  ['an offer that nobody replaces', { [one]: 0.7, [two]: 0.5, [hello]: 0.9 }, null],
])('selects the job of %s', (text, similar, job) => {
  expect(selectJob(text, createSimilarities(similar))).toBe(job);
});

it.each([
  ['TTS', /^text to speech/],
  ['whois', /^whois registration data of a domain/],
  ['GPT?', /language model/],
  ['hourly candles for BTC', /^open, high, low, close/],
  ['latest news about energy in Germany', /^news headlines/],
  ['stock price', /^quote of a listed share/],
  ['weather at an airport', /^current weather/],
  ['the weather of a very long query with more words', null],
  ['ttsx', null],
  ['最新天気', null],
])('expands the query %s', (query, expected) => {
  const expanded = expandQuery(query);
  if (expected === null) expect(expanded).toBeNull();
  else expect(expanded).toMatch(expected);
});

it('embeds the phrases once, and continues after an error', async () => {
  const requests: number[] = [];
  let failsAt = 3;
  const embedder = createHttpEmbedder({
    url: 'http://127.0.0.1/',
    token: 'token',
    fetch: async (_, init) => {
      const { texts } = JSON.parse(init?.body as string) as { texts: string[] };
      requests.push(texts.length);
      if (requests.length === failsAt) return new Response(null, { status: 503 });
      const vectors = texts.map((text) =>
        text === REFERENCE_TEXT || TRANSLATION.includes(text)
          ? REFERENCE_VECTOR
          : Array.from({ length: EMBEDDING_DIMENSIONS }, (__, axis) => (axis === 0 ? 1 : 0)),
      );
      return Response.json({ model: 'gte-small', vectors });
    },
  });
  await expect(embedder.embedEndpoints([one])).rejects.toThrow('status 503');
  failsAt = 0;
  const results = await Promise.all([embedder.embedEndpoints([one]), embedder.embedEndpoints(['x'])]);
  expect(results.flat().map(({ job }) => job)).toEqual(['translation', 'token-price']);
  expect(requests.filter((texts) => texts === 16)).toHaveLength(Math.floor(PHRASES.length / 16) + 1);
});
