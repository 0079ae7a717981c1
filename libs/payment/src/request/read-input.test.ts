import { expect, it } from 'vitest';
import { readJson } from './read-input.ts';

const read = (body: string) =>
  readJson(
    new Request('https://touchstone.example/v1/x402-trust', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  );

it('refuses a body with thousands of values before it is validated', async () => {
  const list = (length: number) => JSON.stringify({ resources: Array.from({ length }, () => 1) });
  expect(await read(list(998))).toHaveProperty('read');
  expect(await read(list(999))).toMatchObject({
    problem: { code: 'invalid-request', detail: expect.stringContaining('more than 1000 values') as string },
  });
});
