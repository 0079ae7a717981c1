import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createSearchText, type SearchText, type SearchTextSource } from './create-search-text.ts';

function create(source: Partial<SearchTextSource>): SearchText {
  const created = createWith(source);
  if (created === null) throw new Error('The endpoint has no words.');
  return created;
}
const createWith = (source: Partial<SearchTextSource>) =>
  createSearchText({ resource: 'https://a.example/', serviceName: null, description: null, ...source });
const readPath = (path: string) => create({ resource: `https://a.example${path}` }).text;

describe('with a description', () => {
  it('appends the service name', () => {
    expect(create({ description: 'Weather of a city', serviceName: 'Sunny' })).toMatchObject({
      text: 'Weather of a city — Sunny',
      described: true,
    });
  });

  it('omits a service name that the description contains', () => {
    expect(create({ description: 'The Sunny forecast', serviceName: 'sunny' }).text).toBe(
      'The Sunny forecast',
    );
  });

  it('keeps the service name when the description is too long', () => {
    const { text } = create({ description: 'word '.repeat(900), serviceName: 'Sunny' });
    expect(text).toMatch(/ — Sunny$/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  it('replaces invisible characters and collapses white space', () => {
    expect(create({ description: '\u202eTokens\u0000  and\n\n\tprices\u200b' }).text).toBe(
      'Tokens and prices',
    );
  });
});

describe('without a useful description', () => {
  const source = { resource: 'https://a.example/v1/token-price', serviceName: 'Coin Pulse' };
  const expected = { text: 'Coin Pulse: token price', described: false };

  test.each([null, '', ' \u200b\n', '…', '402 402', 'COIN PULSE!', 'https://a.example/v1/token-price'])(
    'ignores the description %j',
    (description) => {
      expect(create({ ...source, description })).toMatchObject(expected);
    },
  );

  it('does not repeat words of the service name', () => {
    const resource = 'https://a.example/proxy/news-search-api-3c06f9/news/search';
    expect(create({ resource, serviceName: 'News Search API' }).text).toBe('News Search API: proxy');
  });

  test.each([
    ['https://api.riftwood-bench.workers.dev/', 'riftwood bench'],
    ['https://x402.weather.example/v1/', 'weather'],
    ['https://www.stocks.onrender.com/', 'stocks'],
    ['https://localweather/', 'localweather'],
    ['https://weather-7f3a9c1e2b.vercel.app/', 'weather'],
  ])('has the words of one label of the host when name and path have no words: %s', (resource, text) => {
    expect(create({ resource }).text).toBe(text);
  });

  test.each(['https://127.0.0.1:3000/v1/{id}', 'https://d1a2b3c4e5.cloudfront.net/', 'https://[::1]/', ''])(
    'does not exist for the URL %j without words',
    (resource) => {
      expect(createWith({ resource })).toBeNull();
    },
  );
});

test.each([
  ['/getNFTFloorPrice', 'get nft floor price'],
  ['/web3/token_price2usd', 'web token price usd'],
  ['/api/v2/rest/x402/text-to-image', 'text to image'],
  ['/img2img', 'img'],
  ['/users/{userId}/posts/:postId', 'users posts'],
  ['/posts/<id>/[slug]', 'posts'],
  ['/order/LIW9112O7SOA', 'order'],
  ['/wallet/0xde787f609e75513a86d53b2a15011db78fb5f2bc', 'wallet'],
  ['/job/5f1c2d3e-aaaa-4bbb-8ccc-0123456789ab/result', 'job result'],
  ['/cid/bafkreibed3rrvo5cmzfwvytbmkqpgn5m7ays5cotf2agweycev5ibirl4m', 'cid'],
  ['/wetter%20und%2Fklima/%E5%A4%A9%E6%B0%97', 'wetter und klima 天気'],
  ['/broken%/%zz/%E5text', 'broken zz text'],
  ['/price?apiKey=secret#fragment', 'price'],
])('reads the path %s as %j', (path, words) => {
  expect(readPath(path)).toBe(words);
});

describe('for any input', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string().map((text) => `https://a.example/${encodeURIComponent(text.toWellFormed())}/{${text}}%`),
  );
  const source = fc.record({
    resource: part,
    serviceName: fc.option(part),
    description: fc.option(part),
  });

  it('returns a bounded line of well-formed text that depends only on the input', () => {
    fc.assert(
      fc.property(source, (endpoint) => {
        const created = createSearchText(endpoint);
        expect(createSearchText({ ...endpoint })).toEqual(created);
        if (created === null) return;
        expect(created.text.length).toBeGreaterThan(0);
        expect(created.text.length).toBeLessThanOrEqual(1_000);
        expect(created.text).toBe(created.text.trim().replace(/\s+/gu, ' '));
        expect(created.text.isWellFormed()).toBe(true);
        expect(created.text).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
        expect(created.textHash).toBe(createHash('sha256').update(created.text).digest('base64url'));
      }),
      { numRuns: 500 },
    );
  });

  it('omits placeholders in every spelling and letter case', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/);
    fc.assert(
      fc.property(name, (placeholder) => {
        const spellings = [
          `{${placeholder}}`,
          `:${placeholder}`,
          `%7B${placeholder}%7D`,
          `%7b${placeholder}%7d`,
          `%3A${placeholder}`,
        ];
        for (const spelling of spellings)
          expect(readPath(`/price/${spelling}/history`)).toBe('price history');
      }),
    );
  });
});
