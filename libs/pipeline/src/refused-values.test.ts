import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StoreError } from '@touchstone/store';
import { withoutRefused } from './refused-values.ts';

const refusal = (code: string) => new StoreError('save', { message: 'no', code });

it('does the work on all items but those that are refused, each once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer(), { maxLength: 40 }),
      fc.func(fc.boolean()),
      fc.constantFrom('22003', '22P05', '23514'),
      async (items, isBad, code) => {
        const done: number[] = [];
        const refused: number[] = [];
        const results = await withoutRefused(
          items,
          (some) => {
            if (some.some((item) => isBad(item))) return Promise.reject(refusal(code));
            done.push(...some);
            return Promise.resolve(some.map(String));
          },
          (item) => refused.push(item),
        );
        const good = items.filter((item) => !isBad(item));
        expect(done).toEqual(good);
        expect(results).toEqual(good.map(String));
        expect(refused).toEqual(items.filter((item) => isBad(item)));
      },
    ),
  );
});

it('asks once where nothing is refused, and not at all for nothing', async () => {
  const calls: number[] = [];
  const work = (some: readonly number[]) => {
    calls.push(some.length);
    return Promise.resolve([]);
  };
  await withoutRefused([1, 2, 3], work, () => undefined);
  await withoutRefused([], work, () => undefined);
  expect(calls).toEqual([3]);
});

it.each([refusal('57014'), refusal('PGRST000'), new Error('no code')])(
  'fails at once with what is no refusal of a value: %s',
  async (error) => {
    let calls = 0;
    const work = () => {
      calls += 1;
      return Promise.reject(error);
    };
    await expect(withoutRefused([1, 2], work, () => undefined)).rejects.toBe(error);
    expect(calls).toBe(1);
  },
);
