import { expect, test } from 'vitest';
import { createPlaceholderNotes } from './notes.ts';

test.each([
  ['https://api.example.com/users/{id}', '{id}'],
  ['https://api.example.com/users/%7Bid%7d/posts', '{id}'],
  ['https://api.example.com/users/:userId', ':userId'],
  ['https://api.example.com:8443/users/:user_id/posts?page=1', ':user_id'],
  ['https://api.example.com/quote?symbol={symbol}', '{symbol}'],
  ['https://api.example.com/{{id}}', '{id}'],
  ['https://{tenant}.example.com/', '{tenant}'],
])('the note on %s names the placeholder %s', (url, name) => {
  expect(createPlaceholderNotes(url)).toEqual([
    `The URL contains the placeholder ${name}; replace it before paying: as it is, the URL cannot be paid.`,
  ]);
});

test('the note names each placeholder once', () => {
  expect(createPlaceholderNotes('https://api.example.com/{a}/:b/{a}')[0]).toContain(
    'the placeholders {a}, :b; replace them',
  );
});

test.each([
  'https://api.example.com:8080/v1/weather',
  'https://api.example.com/v1/models/gemini:generate',
  'https://api.example.com/at/12:30/now',
  'https://api.example.com/search?filter={"city":"Bern"}&time=/:30',
  'https://api.example.com/search?filter=%7B%22city%22:1%7D',
  'https://api.example.com/#/{id}',
  '(x402-market-analysis API)',
])('there is no note on %s', (url) => {
  expect(createPlaceholderNotes(url)).toEqual([]);
});
