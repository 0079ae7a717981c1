import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTestProber } from '../testing/prober.ts';
import { serve, serveTcp, serveText } from '../testing/servers.ts';
import type { RunningServer } from '../testing/servers.ts';
import type { Probe, ProbeLimits } from '../types.ts';

const url = 'http://endpoint.example/';

function probeServer(server: RunningServer, limits: Partial<ProbeLimits> = {}): Promise<Probe> {
  return createTestProber(server.port, { limits })({ url, methods: ['GET'] });
}

/** Writes one character of the text every 20 ms until the client closes the connection. */
function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ''), 20);
  socket.once('close', () => clearInterval(timer));
}

describe('a slow server', () => {
  it('is a timeout in the phase processing when it never responds, and the connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await serveTcp((socket) => {
      closed = once(socket, 'close');
      socket.resume();
    });
    const probe = await probeServer(server, { firstByteMs: 200, totalMs: 120_000 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, body: null, latencyMs: null });
    expect(probe).toMatchObject({
      failure: { phase: 'processing' },
      phases: { processing: null, transfer: null },
    });
    expect(probe.phases.connect).toBeGreaterThanOrEqual(0);
    expect(probe.totalMs).toBeGreaterThan(190);
    expect(probe.totalMs).toBeLessThan(30_000);
    await closed;
  });

  it('is a timeout in the phase transfer when it sends its header too slowly', async () => {
    await using server = await serveTcp((socket) => drip(socket, 'HTTP/1.1 402 Payment Required\r\nx: '));
    const probe = await probeServer(server, { totalMs: 2_000 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, failure: { phase: 'transfer' } });
    expect(probe.latencyMs).not.toBeNull();
    expect(probe.totalMs).toBeLessThan(30_000);
  });

  it('is a timeout that keeps the response when it sends its body too slowly', async () => {
    await using server = await serveTcp((socket) => {
      socket.write('HTTP/1.1 402 Payment Required\r\ncontent-length: 999\r\n\r\n');
      drip(socket, 'abc');
    });
    const probe = await probeServer(server, { totalMs: 2_000 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: 402, failure: { phase: 'transfer' } });
    expect(probe).toMatchObject({ headers: [['content-length', '999']], bodyTruncated: true });
    expect(probe.body).toMatch(/^a/);
  });

  it('is limited by the total time', async () => {
    await using server = await serveTcp((socket) => void socket.resume());
    const probe = await probeServer(server, { firstByteMs: 120_000, totalMs: 200 });
    expect(probe).toMatchObject({ outcome: 'timeout', failure: { phase: 'processing' } });
    expect(probe.totalMs).toBeLessThan(30_000);
  });
});

describe('a server that closes the connection', () => {
  it('is a connection error when it sent no response', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.end()));
    expect(await probeServer(server)).toMatchObject({
      outcome: 'connect-error',
      httpStatus: null,
      failure: { phase: 'processing', code: 'ECONNRESET' },
    });
  });

  it('is a connection error after a reset', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await probeServer(server)).toMatchObject({
      outcome: 'connect-error',
      failure: { code: 'ECONNRESET' },
    });
  });

  it('is a connection error that keeps the response when it closes within the body', async () => {
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 402 Payment Required\r\ncontent-length: 9\r\n\r\nabc')),
    );
    expect(await probeServer(server)).toMatchObject({
      outcome: 'connect-error',
      httpStatus: 402,
      body: 'abc',
      bodyTruncated: true,
      failure: { phase: 'transfer' },
    });
  });

  it('may do so to end a body of unknown length', async () => {
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.0 402 Payment Required\r\n\r\nabc')),
    );
    expect(await probeServer(server)).toMatchObject({
      outcome: 'challenged',
      body: 'abc',
      bodyTruncated: false,
    });
  });
});

describe('a response that violates HTTP', () => {
  it.each([
    ['noise', 'not HTTP at all\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['binary', '\x00\x01\x02\xff\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 abc Nope\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 402 A\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a length beside chunks', 'HTTP/1.1 402 A\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['a chunk size that is not a number', 'HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'],
    ['a bare line break in a field', 'HTTP/1.1 402 A\r\nx: a\nb\r\n\r\n'],
    [
      'a protocol switch without a request',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['endless interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)],
  ])('is a protocol error: %s', async (_, text) => {
    await using server = await serveText(Buffer.from(text, 'latin1'));
    expect(await probeServer(server)).toMatchObject({ outcome: 'protocol-error' });
  });

  it('is a protocol error when its header exceeds the limit, but not just below it', async () => {
    const createResponse = (bytes: number): string =>
      `HTTP/1.1 402 A\r\nx: ${'y'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`;
    await using over = await serveText(createResponse(66 * 1024));
    expect(await probeServer(over)).toMatchObject({
      outcome: 'protocol-error',
      failure: { phase: 'transfer', code: 'HPE_HEADER_OVERFLOW' },
    });
    await using below = await serveText(createResponse(60 * 1024));
    expect(await probeServer(below)).toMatchObject({ outcome: 'challenged', failure: null });
  });

  it('may begin with a few interim responses', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3);
    await using server = await serveText(`${hints}HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nok`);
    expect(await probeServer(server)).toMatchObject({ outcome: 'challenged', body: 'ok' });
  });

  it('has a valid outcome when it arrives before the request', async () => {
    await using server = await serveTcp((socket) => {
      socket.write('HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nok');
      socket.resume();
    });
    expect((await probeServer(server)).outcome).toMatch(/^(challenged|protocol-error|connect-error)$/);
  });
});

describe('the body limit', () => {
  it('truncates the body, and no more is read', async () => {
    let sent = 0;
    await using server = await serve((_, response) => {
      response.writeHead(402);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1024))) sent += 1;
        sent += 1;
        response.once('drain', more);
      };
      more();
    });
    const probe = await probeServer(server, { bodyBytes: 10_000 });
    expect(probe).toMatchObject({
      outcome: 'challenged',
      body: 'x'.repeat(10_000),
      bodyTruncated: true,
      failure: null,
    });
    const sentBefore = sent;
    await new Promise((resolve) => setTimeout(resolve, 30));
    // After the client stops reading, the server can send only the data that the buffers of the two sockets can hold.
    expect(sent - sentBefore).toBeLessThan(8_192);
  });

  it('does not truncate a body of exactly that length', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end('x'.repeat(10_000)));
    const probe = await probeServer(server, { bodyBytes: 10_000 });
    expect(probe).toMatchObject({ body: 'x'.repeat(10_000), bodyTruncated: false });
  });

  it('truncates a body of very many small chunks early', async () => {
    const chunks = '1\r\nx\r\n'.repeat(200_000);
    await using server = await serveText(`HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`);
    const probe = await probeServer(server);
    expect(probe).toMatchObject({ outcome: 'challenged', bodyTruncated: true });
    expect(probe.body?.length).toBeLessThan(10_000);
  });
});
