import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { probeServer } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import type { DialAddress } from '../types.ts';

/**
 * Starts a server that listens but never accepts a connection. When its queue is full, new connections get no response.
 */
async function serveFullQueue(): Promise<{
  readonly port: number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const fill = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of fill) socket.destroy();
      await worker.terminate();
    },
  };
}

/** Returns a list to which each new TCP client socket of this process is added until the end of the test. */
function recordSockets(): readonly Socket[] {
  const sockets: Socket[] = [];
  const record = (message: unknown): void => {
    // Node documents this type of the messages of the channel.
    sockets.push((message as { readonly socket: Socket }).socket);
  };
  subscribe('net.client.socket', record);
  onTestFinished(() => void unsubscribe('net.client.socket', record));
  return sockets;
}

describe('the connection', () => {
  /** Port on which no server listens. */
  let deadPort: number;
  beforeAll(async () => {
    const dead = await serve(() => undefined);
    await dead[Symbol.asyncDispose]();
    deadPort = dead.port;
  });
  const at = (port: number, address = '127.0.0.1'): DialAddress => ({
    address,
    family: 4,
    port,
    isTrusted: true,
  });
  const probeAddresses = (...addresses: readonly DialAddress[]) =>
    probeServer({ port: 1 }, { resolver: () => Promise.resolve(addresses) });

  it('fails when no server listens', async () => {
    expect(await probeAddresses(at(deadPort))).toMatchObject({
      outcome: 'connect-error',
      remoteAddress: null,
      failure: { phase: 'connect', code: 'ECONNREFUSED' },
      phases: { connect: null },
    });
  });

  it('times out when no server responds, unless one refuses the connection', async () => {
    await using silent = await serveFullQueue();
    const limits = { connectMs: 150, totalMs: 120_000 };
    const [timedOut, refused] = await Promise.all(
      [[at(silent.port)], [at(deadPort), at(silent.port)]].map((addresses) =>
        probeServer(silent, { limits, resolver: () => Promise.resolve(addresses) }),
      ),
    );
    expect(timedOut).toMatchObject({ outcome: 'timeout', failure: { phase: 'connect', limitMs: 150 } });
    expect(timedOut?.totalMs).toBeLessThan(30_000);
    expect(refused).toMatchObject({ outcome: 'connect-error', failure: { code: 'ECONNREFUSED' } });
  });

  it('is opened to the last address when all other addresses fail', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    const dead = Array.from({ length: 15 }, () => at(deadPort));
    expect(await probeAddresses(...dead, at(server.port))).toMatchObject({ outcome: 'challenged' });
    expect(await probeAddresses(...dead, at(deadPort), at(server.port))).toMatchObject({
      outcome: 'connect-error',
    });
  });

  it('is opened to the next address after 250 ms without a response', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    await using silent = await serveFullQueue();
    const sockets = recordSockets();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const probing = probeAddresses(at(silent.port), at(server.port));
    while (sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(249);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await probing).toMatchObject({ outcome: 'challenged' });
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('is a self-failure when this machine has no route, unless the endpoint fails too', async () => {
    const unreachable = at(deadPort, '255.255.255.255');
    expect(await probeAddresses(unreachable)).toMatchObject({ outcome: 'self-failure' });
    for (const addresses of [
      [unreachable, at(deadPort)],
      [at(deadPort), unreachable],
    ])
      expect(await probeAddresses(...addresses)).toMatchObject({ failure: { code: 'ECONNREFUSED' } });
  });
});
