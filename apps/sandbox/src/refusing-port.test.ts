import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { LOOPBACK } from './loopback.ts';
import { holdRefusingPort } from './refusing-port.ts';

const dialled = async (port: number): Promise<string> => {
  const socket = connect({ host: LOOPBACK, port });
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    socket.destroy();
  }
};

test('a held port refuses every connection', async () => {
  const { port, release } = await holdRefusingPort();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => dialled(port)));
  release();
  expect(new Set(outcomes)).toEqual(new Set(['ECONNREFUSED']));
});

test('two held ports differ', async () => {
  const [one, other] = [await holdRefusingPort(), await holdRefusingPort()];
  expect(one.port).not.toBe(other.port);
  for (const held of [one, other]) held.release();
});
