import { describe, expect, it } from 'vitest';
import { listChoices } from './choices.ts';

describe('listChoices', () => {
  it('lists the most frequent values first, and chosen values without an endpoint last', () => {
    const choices = listChoices({ b: 2, a: 2, c: 7 }, ['a', 'toString']);
    expect(choices.map(({ value, endpoints }) => [value, endpoints])).toEqual([
      ['c', 7],
      ['a', 2],
      ['b', 2],
      ['toString', 0],
    ]);
  });

  it('has no number for any value if the values were not counted', () => {
    expect(
      listChoices({ b: null, a: null }, ['c']).map(({ value, endpoints }) => [value, endpoints]),
    ).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ]);
  });
});
