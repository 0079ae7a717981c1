import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decodeHeader, expectResponse, readChallengeHeader } from '../testing/story-requests.ts';
import { toIsoTime, useTestSandbox } from '../testing/test-sandbox.ts';

const URL_ONE = 'https://skyfall.sandbox.test/v2/current';
const URL_TWO = 'https://skyfall.sandbox.test/v2/forecast';

const sandbox = useTestSandbox(1);
afterEach(async () => {
  for (const url of [URL_ONE, URL_TWO]) await send('DELETE', url);
});

interface SentBody {
  readonly body?: string;
  readonly type?: string;
}

function toUrl(endpoint: string) {
  return `${sandbox.ready.controlUrl}/changes?endpoint=${encodeURIComponent(endpoint)}`;
}

function send(method: string, endpoint: string, { body, type = 'application/json' }: SentBody = {}) {
  return fetch(toUrl(endpoint), {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  });
}

async function change(endpoint: string, name: string) {
  const response = await send('PUT', endpoint, { body: JSON.stringify({ change: name }) });
  expect(response.status).toBe(200);
  return response.json();
}

const errorSchema = z.strictObject({ error: z.string() });
const termsSchema = z.object({
  accepts: z
    .array(z.object({ payTo: z.string(), amount: z.string(), network: z.string(), asset: z.string() }))
    .length(1)
    .transform(([offer]) => offer),
});

async function readTerms(url: string) {
  return termsSchema.parse(decodeHeader(readChallengeHeader(await expectResponse(sandbox.request(url)))))
    .accepts;
}

async function isListed(url: string) {
  const response = await fetch(`${sandbox.ready.directoryUrl}/discovery/resources?limit=1000`);
  return (await response.text()).includes(`"${url}"`);
}

describe('a change', () => {
  test('applies at once, only to its endpoint, until it is removed', async () => {
    const before = await readTerms(URL_ONE);
    const other = await readTerms(URL_TWO);
    expect(await change(URL_ONE, 'payto')).toEqual({ endpoint: URL_ONE, changes: ['payto'] });
    const after = await readTerms(URL_ONE);
    expect(after).toEqual({ ...before, payTo: after?.payTo });
    expect(after?.payTo).toMatch(/^0x[0-9a-f]{40}$/);
    expect(after?.payTo).not.toBe(before?.payTo);
    expect(await readTerms(URL_TWO)).toEqual(other);
    const removed = await send('DELETE', URL_ONE);
    expect([removed.status, await removed.json()]).toEqual([200, { endpoint: URL_ONE, changes: [] }]);
    expect(await readTerms(URL_ONE)).toEqual(before);
  });

  test('is added to the earlier changes of its endpoint', async () => {
    const before = await readTerms(URL_ONE);
    await change(URL_ONE, 'payto');
    expect(await change(URL_ONE, 'price')).toEqual({ endpoint: URL_ONE, changes: ['payto', 'price'] });
    const after = await readTerms(URL_ONE);
    expect(after?.payTo).not.toBe(before?.payTo);
    expect(after?.amount).toBe(`${before?.amount}0`);
  });

  test('makes the challenge unreadable', async () => {
    await change(URL_ONE, 'challenge');
    const response = await expectResponse(sandbox.request(URL_ONE));
    expect(response.status).toBe(402);
    expect(() => decodeHeader(readChallengeHeader(response))).toThrow(SyntaxError);
  });

  test('removes the endpoint from the directory', async () => {
    expect(await isListed(URL_ONE)).toBe(true);
    await change(URL_ONE, 'listing');
    expect([await isListed(URL_ONE), await isListed(URL_TWO)]).toEqual([false, true]);
    expect(await sandbox.request(URL_ONE)).toMatchObject({ status: 402 });
  });

  test('takes the endpoint down', async () => {
    await change(URL_ONE, 'outage');
    expect(await sandbox.request(URL_ONE)).toMatchObject({ status: 503 });
    await send('DELETE', URL_ONE);
    expect(await sandbox.request(URL_ONE)).toMatchObject({ status: 402 });
  });

  test('does not affect earlier simulated times', async () => {
    await change(URL_ONE, 'outage');
    await sandbox.setClock(toIsoTime(0.5));
    expect(await sandbox.request(URL_ONE)).toMatchObject({ status: 402 });
    await sandbox.setClock(toIsoTime(2));
    expect(await sandbox.request(URL_ONE)).toMatchObject({ status: 503 });
  });
});

describe('a request is rejected', () => {
  const body = '{"change":"payto"}';

  test('with the expected and the received value', async () => {
    const unknown = await send('PUT', 'https://nobody.sandbox.test/', { body });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      {
        error:
          'endpoint must be the URL of an endpoint of the sandbox, such as https://skyfall.sandbox.test/v2/current; received "https://nobody.sandbox.test/"',
      },
    ]);
    const invalid = await send('PUT', URL_ONE, { body: '{"change":"name"}' });
    expect([invalid.status, await invalid.json()]).toEqual([
      400,
      {
        error:
          'the body must be {"change": <one of payto, price, asset, challenge, listing, outage>}; received "{\\"change\\":\\"name\\"}"',
      },
    ]);
  });

  test.each([
    ['without an endpoint', 400, () => fetch(`${sandbox.ready.controlUrl}/changes`, { method: 'DELETE' })],
    ['to remove changes of an unknown endpoint', 404, () => send('DELETE', 'skyfall')],
    ['without a body', 400, () => send('PUT', URL_ONE, { body: '' })],
    ['with another member', 400, () => send('PUT', URL_ONE, { body: '{"change":"payto","at":null}' })],
    ['with another media type', 415, () => send('PUT', URL_ONE, { body, type: 'text/plain' })],
    ['with another method', 404, () => send('POST', URL_ONE, { body })],
  ])('%s with status %d', async (_what, status, request) => {
    const before = await readTerms(URL_ONE);
    const response = await request();
    expect(response.status).toBe(status);
    expect(errorSchema.safeParse(await response.json()).success).toBe(true);
    expect(await readTerms(URL_ONE)).toEqual(before);
  });
});
