import { isFilledTemplate } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize } from './canonicalize.ts';
import { fillTemplate } from './fill-template.ts';

const fill = (resource: string, examples: Record<string, string>) =>
  fillTemplate(resource, new Map(Object.entries(examples)));

describe('fillTemplate', () => {
  it('fills both forms of placeholder, in path and query', () => {
    expect(fill('https://a.example/u/{id}/posts', { id: '42' })).toBe('https://a.example/u/42/posts');
    expect(fill('https://a.example:8443/:symbol/quote', { symbol: 'SAP' })).toBe(
      'https://a.example:8443/SAP/quote',
    );
    expect(fill('https://a.example/:a/:b?q={c}', { a: '1', b: '2', c: '3' })).toBe(
      'https://a.example/1/2?q=3',
    );
  });

  it('encodes characters that would add a segment or a parameter', () => {
    expect(fill('https://a.example/{q}', { q: 'a/b?c=d#e' })).toBe('https://a.example/a%2Fb%3Fc%3Dd%23e');
  });

  it.each([
    ['S%C3%A3o%20Paulo', 'S%C3%A3o%20Paulo'],
    ['São Paulo', 'S%C3%A3o%20Paulo'],
    ['ETH%2fEUR', 'ETH%2FEUR'],
    ['..%2F..%2Fadmin', '..%2F..%2Fadmin'],
    ['%252e%252e', '%252e%252e'],
    ['50%', '50%25'],
    ['%zz', '%25zz'],
  ])('encodes a value once, also if it is encoded already: %s', (value, expected) => {
    const filled = fill('https://a.example/u/{id}/x', { id: value });
    expect(filled).toBe(`https://a.example/u/${expected}/x`);
    expect(URL.parse(filled ?? '')?.href).toBe(filled);
  });

  it.each([
    ...['', '.', '..', '%2E', '%2e%2E', '.%2e'],
    ...['{id}', '%7Bid%7D', '%7bid%7d', '{{id}}', '{name}', ':id', '%3Aid', '<id>', '[id]'],
    undefined,
  ])('returns null without a usable value: %o', (id) => {
    expect(fill('https://a.example/u/{id}', id === undefined ? {} : { id })).toBeNull();
  });

  it('never changes the host or the path depth of the template', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const filled = fill('https://a.example/one/{x}/three', { x: value });
        if (filled === null) return;
        const url = new URL(filled);
        expect(url.host).toBe('a.example');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.search + url.hash).toBe('');
      }),
    );
  });
});

it.each([
  ['https://a.example/v1/{city}', 'https://a.example/v1/berlin'],
  ['https://a.example/v1/:city/now', 'https://a.example/v1/berlin/now'],
  ['https://a.example/v1/{city}', 'https://a.example/v1/berlin?units=c'],
  ['https://a.example/v1?q={query}', 'https://a.example/v1?q=rain'],
  ['https://a.example/{a}-{b}.json', 'https://a.example/x-y.json'],
])('%s matches %s', (template, resource) => {
  expect(isFilledTemplate(template, resource)).toBe(true);
});

it.each([
  ['https://a.example/v1/{city}', 'https://a.example/v1/'],
  ['https://a.example/v1/{city}', 'https://a.example/v1/berlin/now'],
  ['https://a.example/v1/{city}', 'https://b.example/v1/berlin'],
  ['https://a.example/v1/{city}', 'https://aXexample/v1/berlin'],
  ['https://a.example/v1?q={query}', 'https://a.example/v1?p=rain'],
  ['https://a.example/v1', 'https://a.example/v1'],
])('%s does not match %s', (template, resource) => {
  expect(isFilledTemplate(template, resource)).toBe(false);
});

it('needs little time for many adjacent placeholders and a long URL', () => {
  const placeholders = Array.from({ length: 200 }, (_, index) => `{p${String(index)}}`);
  const path = 'a'.repeat(2_000);
  for (const separator of ['', 'a', '-']) {
    const template = `https://a.example/${placeholders.join(separator)}!`;
    expect(isFilledTemplate(template, `https://a.example/${path}`)).toBe(false);
  }
  expect(isFilledTemplate(`https://a.example/${placeholders.join('')}`, `https://a.example/${path}`)).toBe(
    true,
  );
});

it('matches every filled template', () => {
  const value = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(value, value, (city, day) => {
      const examples = new Map([
        ['city', city],
        ['day', day],
      ]);
      const template = 'https://a.example/v1/{city}/:day?q=1';
      const canonical = canonicalize(fillTemplate(template, examples) ?? '');
      const resource = canonical.ok && !canonical.templated ? canonical.resource : null;
      fc.pre(resource !== null);
      expect(isFilledTemplate(template, resource)).toBe(true);
    }),
  );
});
