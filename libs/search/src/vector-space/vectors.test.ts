import { expect, it, test } from 'vitest';
import { createEmbedHandler } from '../../../../supabase/functions/embed/handler.ts';
import {
  createFunctionEmbedder,
  createHttpEmbedder,
  EMBEDDING_DIMENSIONS,
  EMBEDDING_MODEL,
} from '../index.ts';
import { loadSharedModel, createLocalEmbedder } from '../testing/create-local-embedder.ts';
import { readRecordedVectors } from '../testing/recorded-vectors.ts';
import { centreVector, computeCosine, MEAN_VECTOR, REFERENCE_TEXT, REFERENCE_VECTOR } from './vectors.ts';

/** Minimum cosine between vectors of two implementations. */
const MIN_COSINE = 0.9999;
const recorded = readRecordedVectors();

/** Sends texts to the handler of the edge function, as supabase-js does. */
async function invokeFunction(body: { readonly texts: readonly string[] }): Promise<unknown> {
  const { embed } = await loadSharedModel();
  const handle = createEmbedHandler({ embed, keys: ['sb_secret_of-the-project'] });
  const response = await handle(
    new Request('https://project.supabase.co/functions/v1/embed', {
      method: 'POST',
      headers: { apikey: 'sb_secret_of-the-project', authorization: 'Bearer sb_secret_of-the-project' },
      body: JSON.stringify(body),
    }),
  );
  expect(response.status).toBe(200);
  return response.json();
}

test.each(recorded)('local vector equals the recorded one: $title', async ({ text, vector }) => {
  const local = await (await loadSharedModel()).embed(text);
  expect(computeCosine(local, vector)).toBeGreaterThanOrEqual(MIN_COSINE);
  expect(Math.hypot(...local)).toBeCloseTo(1, 6);
});

it('has one vector space for the embedder process and the edge function', async () => {
  const texts = recorded.map(({ text }) => text);
  const local = await (await createLocalEmbedder()).embed(texts);
  const edge = await createFunctionEmbedder(invokeFunction).embed(texts);
  for (const [index, { vector }] of recorded.entries()) {
    const expected = centreVector(vector);
    expect(computeCosine(local[index] ?? [], expected)).toBeGreaterThanOrEqual(MIN_COSINE);
    expect(computeCosine(edge[index] ?? [], expected)).toBeGreaterThanOrEqual(MIN_COSINE);
    expect(Math.hypot(...(local[index] ?? []))).toBeCloseTo(1, 6);
  }
});

it('has one recorded reference vector', () => {
  const reference = recorded.find(({ text }) => text === REFERENCE_TEXT);
  expect(computeCosine(reference?.vector ?? [], REFERENCE_VECTOR)).toBeGreaterThan(0.999999);
  expect(MEAN_VECTOR).toHaveLength(EMBEDDING_DIMENSIONS);
  expect(EMBEDDING_MODEL).toMatch(/^gte-small\/mean-v1\/0\.5\/[\da-f]{8}$/);
});

it('separates unrelated texts only after centring', async () => {
  const { embed } = await loadSharedModel();
  const [one, other] = [
    await embed('Convert dollars to euros'),
    await embed('Text to speech in 40 languages'),
  ];
  expect(computeCosine(one, other)).toBeGreaterThan(0.65);
  expect(computeCosine(centreVector(one), centreVector(other))).toBeLessThan(0.5);
});

it('refuses vectors of another model before the first text', async () => {
  const requests: unknown[] = [];
  const embedder = createFunctionEmbedder(async (body) => {
    requests.push(body);
    const vectors = body.texts.map((_, index) => MEAN_VECTOR.map((value) => value + index));
    return { model: 'gte-small', vectors };
  });
  await expect(embedder.embed(['a text'])).rejects.toThrow(/The embedder is not gte-small: the cosine/);
  await expect(embedder.embed(['a text'])).rejects.toThrow(/not gte-small/);
  expect(requests).toEqual([{ texts: [REFERENCE_TEXT] }, { texts: [REFERENCE_TEXT] }]);
});

it('embeds the reference text once', async () => {
  const requests: number[] = [];
  const embedder = createFunctionEmbedder((body) => {
    requests.push(body.texts.length);
    return invokeFunction(body);
  });
  expect(await embedder.embed([])).toEqual([]);
  await embedder.embed(['a', 'b', 'c', 'd', 'e']);
  await embedder.embed(['a']);
  expect(requests).toEqual([1, 4, 1, 1]);
});

it('checks the vector space again on request', async () => {
  let isReplaced = false;
  const embedder = createFunctionEmbedder((body) =>
    isReplaced
      ? Promise.resolve({ model: 'gte-small', vectors: body.texts.map(() => MEAN_VECTOR) })
      : invokeFunction(body),
  );
  await embedder.check();
  await embedder.embed(['a']);
  isReplaced = true;
  await expect(embedder.check()).rejects.toThrow(/not gte-small/);
});

it.each([
  ['zero', 0],
  ['too long for a number', 1e200],
  ['too short for a number', 1e-200],
])('refuses a vector that is %s, which has no cosine', async (_, value) => {
  const embedder = createFunctionEmbedder((body) =>
    body.texts.includes(REFERENCE_TEXT)
      ? invokeFunction(body)
      : Promise.resolve({ model: 'gte-small', vectors: [MEAN_VECTOR.map(() => value)] }),
  );
  await expect(embedder.embed(['a'])).rejects.toMatchObject({ name: 'EmbedderError' });
});

it('distinguishes a timeout from other errors', async () => {
  const silent = createFunctionEmbedder(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('The function did not respond.'));
        });
      }),
    { timeoutMs: 20 },
  );
  await expect(silent.embed(['a'])).rejects.toMatchObject({ name: 'EmbedderError', isTimeout: true });
  const unreachable = createHttpEmbedder({ url: 'http://127.0.0.1:1/', token: 'token' });
  await expect(unreachable.embed(['a'])).rejects.toMatchObject({ name: 'EmbedderError', isTimeout: false });
});

it('reports an unexpected response as an EmbedderError', async () => {
  const wrong = createFunctionEmbedder(async () => ({ model: 'other', vectors: [] }));
  await expect(wrong.embed(['a'])).rejects.toMatchObject({ name: 'EmbedderError' });
  const fewer = createFunctionEmbedder(async () => ({ model: 'gte-small', vectors: [] }));
  await expect(fewer.embed(['a'])).rejects.toThrow('responded with 0 vectors; expected 1');
  await expect(fewer.embed(Array.from({ length: 17 }, String))).rejects.toThrow('at most 16 texts per call');
});
