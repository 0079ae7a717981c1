import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLru } from './lru.ts';

describe('createLru', () => {
  it('forgets what was longest unused when it is full', () => {
    const lru = createLru<string>(2, () => 1);
    lru.set('a', 'A');
    lru.set('b', 'B');
    lru.get('a');
    lru.set('c', 'C');
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('does not keep a value larger than all of it, nor the old one in its place', () => {
    const lru = createLru<string>(3, (value) => value.length);
    lru.set('a', 'xx');
    lru.set('a', 'xxxx');
    expect(lru.get('a')).toBeUndefined();
    expect(lru.size).toBe(0);
  });

  it('never holds more than its limit, and always knows how much it holds', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      size: fc.nat(12),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lru = createLru<{ size: number }>(20, ({ size }) => size);
        for (const { key, size, remove } of steps) {
          if (remove) lru.delete(key);
          else lru.set(key, { size });
          const held = [...lru.entries()].reduce((sum, [, value]) => sum + value.size, 0);
          expect(lru.size).toBe(held);
          expect(lru.size).toBeLessThanOrEqual(20);
          if (!remove) expect(lru.get(key)).toEqual({ size });
        }
      }),
    );
  });
});
