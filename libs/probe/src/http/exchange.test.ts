import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTestProber } from '../testing/prober.ts';
import { serve, serveTcp, serveText } from '../testing/servers.ts';
import type { RunningServer } from '../testing/servers.ts';
import type { Probe, ProbeLimits } from '../types.ts';

const url = 'http://endpoint.example/';

function probeOf(server: RunningServer, limits: Partial<ProbeLimits> = {}): Promise<Probe> {
  return createTestProber(server.port, { limits })({ url, methods: ['GET'] });
}

/** Writes one character at a time until the other side has had enough. */
function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ''), 20);
  socket.once('close', () => clearInterval(timer));
}

describe('a server that keeps us waiting', () => {
  it('is a time-out while processing when it never answers, and is hung up on', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await serveTcp((socket) => {
      closed = once(socket, 'close');
      socket.resume();
    });
    const probe = await probeOf(server, { firstByteMs: 200 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, body: null, latencyMs: null });
    expect(probe).toMatchObject({
      failure: { phase: 'processing' },
      phases: { processing: null, transfer: null },
    });
    expect(probe.phases.connect).toBeGreaterThanOrEqual(0);
    expect(probe.totalMs).toBeGreaterThan(190);
    expect(probe.totalMs).toBeLessThan(4_000);
    await closed;
  });

  it('is a time-out while transferring when it drips its header', async () => {
    await using server = await serveTcp((socket) => drip(socket, 'HTTP/1.1 402 Payment Required\r\nx: '));
    const probe = await probeOf(server, { totalMs: 400 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, failure: { phase: 'transfer' } });
    expect(probe.latencyMs).not.toBeNull();
    expect(probe.totalMs).toBeLessThan(4_000);
  });

  it('is a time-out that keeps the answer when it drips its body', async () => {
    await using server = await serveTcp((socket) => {
      socket.write('HTTP/1.1 402 Payment Required\r\ncontent-length: 999\r\n\r\n');
      drip(socket, 'abc');
    });
    const probe = await probeOf(server, { totalMs: 400 });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: 402, failure: { phase: 'transfer' } });
    expect(probe).toMatchObject({ headers: [['content-length', '999']], bodyTruncated: true });
    expect(probe.body).toMatch(/^a/);
  });

  it('has no more than the total time', async () => {
    await using server = await serveTcp((socket) => void socket.resume());
    const probe = await probeOf(server, { firstByteMs: 5_000, totalMs: 200 });
    expect(probe).toMatchObject({ outcome: 'timeout', failure: { phase: 'processing' } });
    expect(probe.totalMs).toBeLessThan(4_000);
  });
});

describe('a server that hangs up', () => {
  it('is a connection error when it closes without an answer', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.end()));
    expect(await probeOf(server)).toMatchObject({
      outcome: 'connect-error',
      httpStatus: null,
      failure: { phase: 'processing', code: 'ECONNRESET' },
    });
  });

  it('is a connection error when it resets the connection', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await probeOf(server)).toMatchObject({
      outcome: 'connect-error',
      failure: { code: 'ECONNRESET' },
    });
  });

  it('is a connection error that keeps the answer when it closes within the body', async () => {
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 402 Payment Required\r\ncontent-length: 9\r\n\r\nabc')),
    );
    expect(await probeOf(server)).toMatchObject({
      outcome: 'connect-error',
      httpStatus: 402,
      body: 'abc',
      bodyTruncated: true,
      failure: { phase: 'transfer' },
    });
  });

  it('may end a body of unknown length that way', async () => {
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.0 402 Payment Required\r\n\r\nabc')),
    );
    expect(await probeOf(server)).toMatchObject({ outcome: 'challenged', body: 'abc', bodyTruncated: false });
  });
});

describe('an answer that breaks HTTP', () => {
  it.each([
    ['noise', 'not HTTP at all\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['binary', '\x00\x01\x02\xff\r\n\r\n'],
    ['a status that is no number', 'HTTP/1.1 abc Nope\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 402 A\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a length beside chunks', 'HTTP/1.1 402 A\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['a chunk size that is no number', 'HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'],
    ['a bare line break in a field', 'HTTP/1.1 402 A\r\nx: a\nb\r\n\r\n'],
    [
      'an unasked protocol switch',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['interim answers without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)],
  ])('is a protocol error: %s', async (_, text) => {
    await using server = await serveText(Buffer.from(text, 'latin1'));
    expect(await probeOf(server)).toMatchObject({ outcome: 'protocol-error' });
  });

  it('is a protocol error when its header is over the limit, and none just below it', async () => {
    const answer = (bytes: number): string =>
      `HTTP/1.1 402 A\r\nx: ${'y'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`;
    await using over = await serveText(answer(66 * 1024));
    expect(await probeOf(over)).toMatchObject({
      outcome: 'protocol-error',
      failure: { phase: 'transfer', code: 'HPE_HEADER_OVERFLOW' },
    });
    await using below = await serveText(answer(60 * 1024));
    expect(await probeOf(below)).toMatchObject({ outcome: 'challenged', failure: null });
  });

  it('may begin with a few interim answers', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3);
    await using server = await serveText(`${hints}HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nok`);
    expect(await probeOf(server)).toMatchObject({ outcome: 'challenged', body: 'ok' });
  });

  it('does not hurt when it comes before the request', async () => {
    await using server = await serveTcp((socket) => {
      socket.write('HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nok');
      socket.resume();
    });
    expect((await probeOf(server)).outcome).toMatch(/^(challenged|protocol-error|connect-error)$/);
  });
});

describe('a body over the limit', () => {
  it('is cut there, and no more is read', async () => {
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
    const probe = await probeOf(server, { bodyBytes: 10_000 });
    expect(probe).toMatchObject({
      outcome: 'challenged',
      body: 'x'.repeat(10_000),
      bodyTruncated: true,
      failure: null,
    });
    const sentAtTheEnd = sent;
    await new Promise((resolve) => setTimeout(resolve, 30));
    // Whatever more the server got rid of is what the buffers of the two sockets hold.
    expect(sent - sentAtTheEnd).toBeLessThan(8_192);
  });

  it('is whole when it is just as long as the limit', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end('x'.repeat(10_000)));
    const probe = await probeOf(server, { bodyBytes: 10_000 });
    expect(probe).toMatchObject({ body: 'x'.repeat(10_000), bodyTruncated: false });
  });

  it('is cut early when it comes in pieces made to waste time', async () => {
    const chunks = '1\r\nx\r\n'.repeat(200_000);
    await using server = await serveText(`HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`);
    const probe = await probeOf(server);
    expect(probe).toMatchObject({ outcome: 'challenged', bodyTruncated: true });
    expect(probe.body?.length).toBeLessThan(10_000);
  });
});
