import { describe, expect, it, test } from 'vitest';
import { createEmbedHandler, readSecretKeys } from '../../../../supabase/functions/embed/handler.ts';

const KEY = 'sb_secret_of-the-project';
const embedded: string[] = [];
const handle = createEmbedHandler({
  embed: async (text) => {
    await new Promise((resolve) => setImmediate(resolve));
    embedded.push(text);
    if (text === 'fails') throw new Error('reason for the log');
    return [text.length];
  },
  keys: ['another key', KEY],
});
const send = (texts: unknown, headers: Record<string, string> = { apikey: KEY }) =>
  handle(new Request('http://a.test/', { method: 'POST', headers, body: JSON.stringify({ texts }) }));

it('responds with a vector for each text', async () => {
  const response = await send(['a', 'bb']);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ model: 'gte-small', vectors: [[1], [2]] });
});

test.each<Record<string, string>>([
  { apikey: KEY },
  { authorization: `Bearer ${KEY}` },
  { authorization: 'Bearer another key', apikey: 'wrong' },
])('accepts the headers %j', async (headers) => {
  expect((await send(['a'], headers)).status).toBe(200);
});

test.each<Record<string, string>>([
  {},
  { apikey: '' },
  { apikey: `${KEY}x` },
  { authorization: KEY },
  { authorization: 'Bearer ' },
])('refuses the headers %j', async (headers) => {
  const response = await send(['a'], headers);
  expect(response.status).toBe(401);
});

it('refuses every request without keys', async () => {
  const closed = createEmbedHandler({ embed: async () => [], keys: readSecretKeys(() => undefined) });
  const headers = { apikey: '', authorization: 'Bearer undefined' };
  expect((await closed(new Request('http://a.test/', { method: 'POST', headers }))).status).toBe(401);
});

test.each([
  ['no list', 'text'],
  ['no texts', [1]],
  ['too many texts', Array.from({ length: 17 }, String)],
  ['a text that is too long', ['x'.repeat(4_001)]],
])('refuses %s', async (_, texts) => {
  const response = await send(texts);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: 'texts must be a list of at most 16 texts with at most 4000 characters each.',
  });
});

it('refuses other methods, large bodies and bodies that are not JSON', async () => {
  const request = (init: RequestInit) =>
    handle(new Request('http://a.test/', { headers: { apikey: KEY }, ...init }));
  expect((await request({ method: 'GET' })).status).toBe(405);
  expect((await request({ method: 'POST', body: '{' })).status).toBe(400);
  expect((await request({ method: 'POST' })).status).toBe(400);
  expect((await request({ method: 'POST', body: ' '.repeat(256 * 1024 + 1) })).status).toBe(413);
});

it('alternates between requests, so a query does not wait for all documents', async () => {
  embedded.length = 0;
  await Promise.all([send(['d1', 'd2', 'd3', 'd4', 'd5']), send(['query'])]);
  expect(embedded.indexOf('query')).toBeLessThanOrEqual(2);
});

describe('readSecretKeys', () => {
  it('reads named keys and the legacy key', () => {
    const env: Record<string, string> = {
      SUPABASE_SECRET_KEYS: '{"default":"sb_secret_a","jobs":"sb_secret_b"}',
      SUPABASE_SERVICE_ROLE_KEY: 'eyJhbGciOi',
    };
    expect(readSecretKeys((name) => env[name])).toEqual(['sb_secret_a', 'sb_secret_b', 'eyJhbGciOi']);
  });

  it('returns no keys without variables', () => {
    expect(readSecretKeys(() => '')).toEqual([]);
  });
});
