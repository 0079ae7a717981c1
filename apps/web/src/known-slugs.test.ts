import { describe, expect, it } from 'vitest';
import { rememberSlugs } from './known-slugs.ts';

function setUp(slugs: Map<string, string>) {
  const asked: string[] = [];
  let time = 0;
  const find = rememberSlugs(
    async (endpointId) => {
      asked.push(endpointId);
      return slugs.get(endpointId) ?? null;
    },
    () => time,
  );
  return { find, asked, pass: (ms: number) => (time += ms) };
}

describe('rememberSlugs', () => {
  it('asks once for an endpoint that exists, until ten minutes have passed', async () => {
    const { find, asked, pass } = setUp(new Map([['abcdefgh27', 'slug-abcdefgh27']]));
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    pass(9 * 60_000);
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    expect(asked).toHaveLength(1);
    pass(2 * 60_000);
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    expect(asked).toHaveLength(2);
  });

  it('sees an endpoint as soon as it exists, and no longer than ten minutes after it is gone', async () => {
    const slugs = new Map<string, string>();
    const { find, pass } = setUp(slugs);
    expect(await find('abcdefgh27')).toBeNull();
    slugs.set('abcdefgh27', 'slug-abcdefgh27');
    expect(await find('abcdefgh27')).toBe('slug-abcdefgh27');
    slugs.clear();
    pass(11 * 60_000);
    expect(await find('abcdefgh27')).toBeNull();
  });

  it('passes on that the database could not be asked', async () => {
    const find = rememberSlugs(() => Promise.reject(new Error('away')));
    await expect(find('abcdefgh27')).rejects.toThrow('away');
  });
});
