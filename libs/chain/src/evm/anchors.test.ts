import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Anchor } from '@touchstone/x402';
import { addAnchor } from './anchors.ts';

test('the number of anchors grows with the logarithm of the blocks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 300 }), (steps) => {
      let anchors: Anchor[] = [];
      let number = 0n;
      for (const step of steps) {
        number += BigInt(step);
        anchors = addAnchor(anchors, { number, hash: `h${number}` });
        expect(anchors.at(-1)?.number).toBe(number);
      }
      expect(anchors.length).toBeLessThan(4 + 2 * Math.log2(Number(number) + 1) + 2);
      const numbers = anchors.map((anchor) => anchor.number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a - b)));
    }),
  );
});

test('keeps the four newest anchors, and older anchors at most twice as far back as the next newer one', () => {
  let anchors: Anchor[] = [];
  for (let number = 1n; number <= 1_000n; number += 1n) {
    anchors = addAnchor(anchors, { number, hash: '' });
    const distances = anchors.map((anchor) => Number(number - anchor.number)).reverse();
    expect(distances.slice(0, 4)).toEqual([0, 1, 2, 3].slice(0, distances.length));
    for (const [index, distance] of distances.entries()) {
      if (index >= 4) expect(distance).toBeLessThanOrEqual(2 * (distances[index - 1] ?? 0));
    }
    expect(distances.at(-1)).toBe(Number(number) - 1);
  }
  expect(anchors.length).toBeLessThan(25);
});
