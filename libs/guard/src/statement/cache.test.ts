import { expect, it } from 'vitest';
import { Cache } from './cache.ts';

it('keeps the newest entries up to its maximum', async () => {
  const loaded: string[] = [];
  const cache = new Cache<string>(1_000, () => 0);
  const get = (key: string) =>
    cache.get(key, async () => {
      loaded.push(key);
      return { value: key, expiresAt: 1 };
    });
  for (let index = 0; index < 1_001; index += 1) await get(String(index));
  expect(loaded).toHaveLength(1_001);
  expect(await get('1')).toBe('1');
  expect(loaded).toHaveLength(1_001);
  expect(await get('0')).toBe('0');
  expect(loaded).toHaveLength(1_002);
});

it('does not keep a rejected value', async () => {
  const cache = new Cache<number>(10, () => 0);
  await expect(cache.get('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('a', async () => ({ value: 1, expiresAt: 1 }))).toBe(1);
});
