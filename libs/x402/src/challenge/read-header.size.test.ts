import { createServer, type Server, type Socket } from 'node:net';
import { maxHeaderSize } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dualResponse, getCheck, v1Response, v2Response } from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';
import { measureHeaders, NODE_HEADER_LIMIT_BYTES } from '@touchstone/common';
import { readChallenge } from '../read-challenge.ts';

type Headers = ChallengeResponse['headers'];

let server: Server;
let url: string;
let sent: Headers = [];

/** Sends the headers byte for byte. The server of `node:http` would add its own fields. */
function respond(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.once('data', () => {
    const fields = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 402 \r\n${fields}\r\n`);
  });
}

beforeAll(async () => {
  server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  url = `http://127.0.0.1:${String(address.port)}/`;
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    }),
);

/** Returns `read`, or the code of the error with which the client rejects the response. */
async function readByFetch(): Promise<string> {
  try {
    await (await fetch(url)).text();
    return 'read';
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? String(error);
  }
}

/** Adds header fields with the given number of names and values in total, until the headers have the given size. */
function padHeaders(headers: Headers, bytes: number, fieldCount = 1): Headers {
  const missing = bytes - measureHeaders(headers);
  const names = Array.from({ length: fieldCount }, (_, index) => `x-padding-${String(index)}`);
  const room = missing - names.join('').length;
  const share = Math.floor(room / fieldCount);
  return [
    ...headers,
    ...names.map(
      (name, index) => [name, 'a'.repeat(index === 0 ? room - share * (fieldCount - 1) : share)] as const,
    ),
  ];
}

const CLOSE: Headers = [
  ['Content-Length', '0'],
  ['Connection', 'close'],
];

describe('Node.js clients with default settings', () => {
  test('have the limit that this package assumes', () => {
    expect(maxHeaderSize).toBe(NODE_HEADER_LIMIT_BYTES);
  });

  test.each([1, 2, 50])('read headers one byte below the limit, in %i extra fields', async (fieldCount) => {
    sent = padHeaders(CLOSE, NODE_HEADER_LIMIT_BYTES - 1, fieldCount);
    expect(await readByFetch()).toBe('read');
  });

  test.each([1, 2, 50])('reject headers at the limit, in %i extra fields', async (fieldCount) => {
    sent = padHeaders(CLOSE, NODE_HEADER_LIMIT_BYTES, fieldCount);
    expect(await readByFetch()).toBe('UND_ERR_HEADERS_OVERFLOW');
  });
});

describe('a challenge', () => {
  test.each([
    ['version 2', v2Response(), { v1: false, v2: true }],
    ['version 1, which no header contains', v1Response(), { v1: true, v2: true }],
    ['both versions', dualResponse(), { v1: true, v2: true }],
  ])('of %s can be paid only below the limit', (_, response, paid) => {
    const below = { ...response, headers: padHeaders(response.headers, NODE_HEADER_LIMIT_BYTES - 1) };
    expect(readChallenge(below).payable).toEqual(paid);

    const atLimit = { ...response, headers: padHeaders(response.headers, NODE_HEADER_LIMIT_BYTES) };
    const reason = 'The response headers have 16.4 kB in total; Node.js clients reject more than 16 kB.';
    const challenge = readChallenge(atLimit);
    expect(challenge).toMatchObject({
      payable: { v1: false, v2: false },
      settles: { v1: false, v2: false },
      refusals: { v1: reason, v2: reason },
      verdict: 'unpayable',
    });
    expect(getCheck(challenge, 'http-challenge-size')).toMatchObject({
      result: 'fail',
      severity: 'error',
      axis: 'payable',
      message: reason,
    });
  });

  test('has many short fields of one name, and all of them count', () => {
    const cookies = Array.from({ length: 100 }, () => ['Set-Cookie', 'a'.repeat(160)] as const);
    expect(readChallenge({ ...v2Response(), headers: [...v2Response().headers, ...cookies] }).verdict).toBe(
      'unpayable',
    );
  });
});
