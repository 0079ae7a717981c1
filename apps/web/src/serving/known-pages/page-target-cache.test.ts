import type { PageTarget } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { cachePageTargets } from './page-target-cache.ts';

const ID = 'abcdefgh27';
const TARGET = { slug: 'slug-abcdefgh27' };

function setUp(targets: Map<string, PageTarget>) {
  const lookups: string[] = [];
  let time = 0;
  const find = cachePageTargets(
    async (endpointId) => {
      lookups.push(endpointId);
      return targets.get(endpointId) ?? null;
    },
    () => time,
  );
  return { find, lookups, pass: (ms: number) => (time += ms) };
}

describe('cachePageTargets', () => {
  it.each([TARGET, 'removed' as const])('looks up %j once in ten minutes', async (target) => {
    const { find, lookups, pass } = setUp(new Map([[ID, target]]));
    expect(await find(ID)).toEqual(target);
    pass(9 * 60_000);
    expect(await find(ID)).toEqual(target);
    expect(lookups).toHaveLength(1);
    pass(2 * 60_000);
    expect(await find(ID)).toEqual(target);
    expect(lookups).toHaveLength(2);
  });

  it('finds a new endpoint at once, and returns a removed one for at most ten minutes', async () => {
    const targets = new Map<string, PageTarget>();
    const { find, pass } = setUp(targets);
    expect(await find(ID)).toBeNull();
    targets.set(ID, TARGET);
    expect(await find(ID)).toEqual(TARGET);
    targets.set(ID, 'removed');
    pass(11 * 60_000);
    expect(await find(ID)).toBe('removed');
  });

  it('rejects if the lookup fails', async () => {
    const find = cachePageTargets(() => Promise.reject(new Error('unavailable')));
    await expect(find(ID)).rejects.toThrow('unavailable');
  });
});
