import { describe, expect, it } from 'vitest';
import { cacheSlugs } from './slug-cache.ts';

function setUp(slugs: Map<string, string>) {
  const lookups: string[] = [];
  let time = 0;
  const find = cacheSlugs(
    async (endpointId) => {
      lookups.push(endpointId);
      return slugs.get(endpointId) ?? null;
    },
    () => time,
  );
  return { find, lookups, pass: (ms: number) => (time += ms) };
}

describe('cacheSlugs', () => {
  it('looks up a known endpoint once in ten minutes', async () => {
    const { find, lookups, pass } = setUp(new Map([['abcdefgh27', 'slug-abcdefgh27']]));
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    pass(9 * 60_000);
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    expect(lookups).toHaveLength(1);
    pass(2 * 60_000);
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    expect(lookups).toHaveLength(2);
  });

  it('finds a new endpoint at once, and returns a deleted one for at most ten minutes', async () => {
    const slugs = new Map<string, string>();
    const { find, pass } = setUp(slugs);
    expect(await find('abcdefgh27')).toBeNull();
    slugs.set('abcdefgh27', 'slug-abcdefgh27');
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    slugs.clear();
    pass(11 * 60_000);
    expect(await find('abcdefgh27')).toBeNull();
  });

  it('rejects if the lookup fails', async () => {
    const find = cacheSlugs(() => Promise.reject(new Error('unavailable')));
    await expect(find('abcdefgh27')).rejects.toThrow('unavailable');
  });
});
