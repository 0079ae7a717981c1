import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { LOOPBACK, reserveRefusingPort } from './loopback.ts';

async function tryConnect(port: number): Promise<string> {
  const socket = connect({ host: LOOPBACK, port });
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    socket.destroy();
  }
}

test('a reserved port refuses every connection', async () => {
  const { port, release } = await reserveRefusingPort();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => tryConnect(port)));
  release();
  expect(new Set(outcomes)).toEqual(new Set(['ECONNREFUSED']));
});

test('two reserved ports differ', async () => {
  const [one, other] = [await reserveRefusingPort(), await reserveRefusingPort()];
  expect(one.port).not.toBe(other.port);
  for (const reserved of [one, other]) reserved.release();
});
