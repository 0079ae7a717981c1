import { expect, it } from 'vitest';
import { numberLabels } from './label-numbers.ts';

it('numbers only labels that several URLs have', () => {
  const [a, b] = ['https://a.example/…', 'https://b.example/…hook'];
  expect(numberLabels([])).toEqual([]);
  expect(numberLabels([a, b])).toEqual([a, b]);
  expect(numberLabels([a, b, a, a])).toEqual([`${a} (1 of 3)`, b, `${a} (2 of 3)`, `${a} (3 of 3)`]);
});
