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

it('refuses a member that occurs twice, and names its path', async () => {
  expect(await read('{"resource":"a","resource":"b"}')).toMatchObject({
    problem: { code: 'invalid-request', errors: [{ path: 'resource' }] },
  });
  const nested = String.raw`{"delivery":{"webhook_urls":[{}, {"a":1,"\u0061":1}]}}`;
  expect(await read(nested)).toMatchObject({
    problem: {
      errors: [
        {
          path: 'delivery.webhook_urls.1.a',
          message:
            '`delivery.webhook_urls.1.a` occurs twice in the request body, and programs differ in which value they read. Send it once.',
        },
      ],
    },
  });
  expect(await read('{"a":{"b":1},"c":{"b":1}}')).toHaveProperty('read');
});
