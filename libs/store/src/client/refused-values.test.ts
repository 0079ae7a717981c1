import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusedValue, skipRefusedItems } from './refused-values.ts';
import { StoreError } from './client.ts';

const refusal = (code: string) => new StoreError('save', { message: 'no', code });

it('processes each item that is not refused once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer(), { maxLength: 40 }),
      fc.func(fc.boolean()),
      fc.constantFrom('22003', '22P05', '23514'),
      async (items, isBad, code) => {
        const done: number[] = [];
        const refused: number[] = [];
        const results = await skipRefusedItems(
          items,
          (some) => {
            if (some.some((item) => isBad(item))) return Promise.reject(refusal(code));
            done.push(...some);
            return Promise.resolve(some.map(String));
          },
          { onRefused: (item) => refused.push(item) },
        );
        const good = items.filter((item) => !isBad(item));
        expect(done).toEqual(good);
        expect(results).toEqual(good.map(String));
        expect(refused).toEqual(items.filter((item) => isBad(item)));
      },
    ),
  );
});

it('calls work once without a refusal, and not at all for an empty batch', async () => {
  const calls: number[] = [];
  const work = (some: readonly number[]) => {
    calls.push(some.length);
    return Promise.resolve([]);
  };
  await skipRefusedItems([1, 2, 3], work, { onRefused: () => undefined });
  await skipRefusedItems([], work, { onRefused: () => undefined });
  expect(calls).toEqual([3]);
});

it.each([refusal('57014'), refusal('PGRST000'), new Error('no code')])(
  'throws an error that is not a refused value immediately: %s',
  async (error) => {
    let calls = 0;
    const work = () => {
      calls += 1;
      return Promise.reject(error);
    };
    await expect(skipRefusedItems([1, 2], work, { onRefused: () => undefined })).rejects.toBe(error);
    expect(calls).toBe(1);
  },
);

it.each([
  ['22003', true],
  ['23505', true],
  ['40001', false],
  ['PGRST202', false],
])('classifies SQLSTATE %s as a refused value: %s', (code, isRefused) => {
  expect(isRefusedValue(refusal(code))).toBe(isRefused);
});
