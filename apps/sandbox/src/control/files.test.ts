import { expect, test } from 'vitest';
import { expectResponse } from '../testing/story-requests.ts';
import { useTestSandbox } from '../testing/test-sandbox.ts';

const FILE = 'https://skyfall.sandbox.test/.well-known/touchstone.txt';
const sandbox = useTestSandbox();

const send = (method: string, url: string, body?: object) =>
  fetch(`${sandbox.ready.controlUrl}/files?url=${encodeURIComponent(url)}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const read = (url: string) => expectResponse(sandbox.request(url));

test('a host serves a text file until the file is removed', async () => {
  const text = 'touchstone-claim=c_1\n';
  expect((await read(FILE)).status).toBe(404);
  expect(await (await send('PUT', FILE, { text })).json()).toEqual({ url: FILE, text });
  expect(await read(FILE)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: text,
  });
  expect((await read(FILE.replace('skyfall', 'brightmap'))).status).toBe(404);
  await send('DELETE', FILE);
  expect((await read(FILE)).status).toBe(404);
});

test.each([
  FILE.replace('https:', 'http:'),
  FILE.replace('skyfall', 'unknown'),
  FILE.replace('skyfall.', ''),
  'https://skyfall.sandbox.test/v2/current',
  `${FILE}?version=2`,
  '',
])('the file %j is refused', async (url) => {
  const response = await send('PUT', url, { text: '' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: expect.stringContaining('url must be a file below') as string,
  });
});

test('a body without text is refused', async () => {
  expect((await send('PUT', FILE, {})).status).toBe(400);
  expect((await send('PUT', FILE)).status).toBe(415);
});
