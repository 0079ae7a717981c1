import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Anchor } from '@touchstone/x402';
import { addAnchor } from './anchors.ts';

test('few anchors span however many steps, and the one before any block is never much further back than twice', () => {
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

test('the last steps are all kept, and the next one back is at most twice as far', () => {
  let anchors: Anchor[] = [];
  for (let number = 1n; number <= 1_000n; number += 1n) {
    anchors = addAnchor(anchors, { number, hash: '' });
    const back = anchors.map((anchor) => Number(number - anchor.number)).reverse();
    expect(back.slice(0, 4)).toEqual([0, 1, 2, 3].slice(0, back.length));
    for (const [index, distance] of back.entries()) {
      if (index >= 4) expect(distance).toBeLessThanOrEqual(2 * (back[index - 1] ?? 0));
    }
    expect(back.at(-1)).toBe(Number(number) - 1);
  }
  expect(anchors.length).toBeLessThan(25);
});
