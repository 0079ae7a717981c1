import { expect, test } from 'vitest';
import { createOngoingRequests } from './seller-context.ts';

test('a request knows whether a copy was under way at the same time', async () => {
  const { run } = createOngoingRequests();
  const [first, copy, other] = await Promise.all(
    ['one', 'one', 'two'].map((key) =>
      run(key, async ({ hasCopies }) => {
        await Promise.resolve();
        return hasCopies();
      }),
    ),
  );
  expect([first, copy, other]).toEqual([true, true, false]);
  const later = (key: string) => run(key, ({ hasCopies }) => Promise.resolve(hasCopies()));
  expect([await later('one'), await later('two')]).toEqual([false, false]);
});

test('a request that ended or failed is no copy, and a copy counts after its end', async () => {
  const { run } = createOngoingRequests();
  await expect(run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const outer = await run('one', async ({ hasCopies }) => {
    const before = hasCopies();
    const inner = await run('one', (request) => Promise.resolve(request.hasCopies()));
    return [before, inner, hasCopies()];
  });
  expect(outer).toEqual([false, true, true]);
});
