import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalize } from './canonicalize.ts';
import { fillTemplate } from './fill-template.ts';
import { isFilledTemplate } from './filled-template.ts';

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
