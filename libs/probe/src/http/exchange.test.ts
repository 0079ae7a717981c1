import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { probeServer, runEventLoop } from '../testing/prober.ts';
import { serve, serveTcp, serveText } from '../testing/servers.ts';

afterEach(() => vi.useRealTimers());

describe('a slow server', () => {
  const limits = { firstByteMs: 10_000, totalMs: 15_000 };
  /** Promise that resolves when the connection of the latest request is closed. */
  let closed: Promise<unknown>;
  /**
   * Serves the text as a response that never ends. After the client has received the text, the time of all deadlines
   * passes.
   */
  const serveSlowly = (text: string) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return serveTcp((socket) => {
      closed = once(socket, 'close');
      socket.once('data', () => {
        if (text !== '') socket.write(text);
        void runEventLoop().then(() => vi.advanceTimersByTime(20_000));
      });
    });
  };

  it('is a timeout in the phase processing when it never responds, and the connection is closed', async () => {
    await using server = await serveSlowly('');
    const probe = await probeServer(server, { limits });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, body: null, latencyMs: null });
    expect(probe).toMatchObject({
      failure: { phase: 'processing' },
      phases: { processing: null, transfer: null },
    });
    expect(probe.phases.connect).toBeGreaterThanOrEqual(0);
    await closed;
  });

  it('is a timeout in the phase transfer when it sends its header too slowly', async () => {
    await using server = await serveSlowly('HTTP/1.1 402 Payment Required\r\nx: ');
    const probe = await probeServer(server, { limits });
    expect(probe).toMatchObject({ outcome: 'timeout', httpStatus: null, failure: { phase: 'transfer' } });
    expect(probe.latencyMs).not.toBeNull();
  });

  it('is a timeout that keeps the response when it sends its body too slowly', async () => {
    await using server = await serveSlowly('HTTP/1.1 402 Payment Required\r\ncontent-length: 999\r\n\r\nabc');
    expect(await probeServer(server, { limits })).toMatchObject({
      outcome: 'timeout',
      httpStatus: 402,
      failure: { phase: 'transfer' },
      headers: [['content-length', '999']],
      body: 'abc',
      bodyEnd: 'deadline',
    });
  });

  it('is limited by the total time', async () => {
    await using server = await serveSlowly('');
    expect(await probeServer(server, { limits: { firstByteMs: 60_000, totalMs: 15_000 } })).toMatchObject({
      outcome: 'timeout',
      failure: { phase: 'processing' },
    });
  });
});

describe('a server that ends the connection', () => {
  const end = (socket: Socket): void => void socket.end();
  const reset = (socket: Socket): void => void socket.resetAndDestroy();
  /**
   * Sends a part of a response after the request. After the client has received this part, `finish` ends the
   * connection.
   */
  const after =
    (text: string, finish: (socket: Socket) => void) =>
    (socket: Socket): void => {
      socket.once('data', () => {
        if (text === '') finish(socket);
        else socket.write(text, () => void runEventLoop().then(() => finish(socket)));
      });
    };
  const failIn = (phase: string) => ({
    outcome: 'connect-error',
    httpStatus: null,
    failure: { phase, code: 'ECONNRESET' },
  });
  const kept = {
    outcome: 'challenged',
    httpStatus: 402,
    body: 'abc',
    bodyEnd: 'closed',
    failure: { phase: 'transfer' },
  };
  const complete = { outcome: 'challenged', body: 'abc', bodyEnd: 'complete', failure: null };
  const withLength = 'HTTP/1.1 402 Payment Required\r\ncontent-length: 9\r\n\r\nabc';

  it.each([
    ['a close without a response', after('', end), failIn('processing')],
    ['a reset without a response', after('', reset), failIn('processing')],
    ['a reset within the header', after('HTTP/1.1 402 Payment Required\r\nconte', reset), failIn('transfer')],
    ['a close within the body', after(withLength, end), kept],
    ['a reset within the body', after(withLength, reset), kept],
    [
      'a reset within a chunk',
      after('HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc', reset),
      kept,
    ],
    ['a close that ends a body of unknown length', after('HTTP/1.0 402 A\r\n\r\nabc', end), complete],
    ['a reset that ends a body of unknown length', after('HTTP/1.1 402 A\r\n\r\nabc', reset), complete],
    [
      'a close within the body of a 2xx status',
      after('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', end),
      { ...kept, outcome: 'connect-error', httpStatus: 200 },
    ],
    [
      'a close within the body of another status',
      after('HTTP/1.1 429 A\r\ncontent-length: 9\r\n\r\nabc', end),
      { ...kept, outcome: 'blocked', httpStatus: 429 },
    ],
  ])('with %s', async (_, behave, expected) => {
    await using server = await serveTcp(behave);
    expect(await probeServer(server)).toMatchObject(expected);
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
    ['a bare line break in a field', 'HTTP/1.1 402 A\r\nx: a\nb\r\n\r\n'],
    [
      'a protocol switch without a request',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['endless interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(150)],
  ])('is a protocol error: %s', async (_, text) => {
    await using server = await serveText(Buffer.from(text, 'latin1'));
    expect(await probeServer(server)).toMatchObject({ outcome: 'protocol-error' });
  });

  it.each([
    [
      'a chunk size that is not a number',
      'HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz',
      { outcome: 'challenged', body: 'ok', bodyEnd: 'undecodable', failure: { phase: 'transfer' } },
    ],
    [
      'bytes after the body',
      'HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nokmore',
      { outcome: 'challenged', body: 'ok', bodyEnd: 'complete', failure: null },
    ],
    [
      'a body that its status does not allow',
      'HTTP/1.1 204 A\r\ncontent-length: 2\r\n\r\nok',
      { outcome: 'free', body: '', bodyEnd: 'complete', failure: null },
    ],
  ])('keeps the outcome of its status with %s', async (_, text, expected) => {
    await using server = await serveText(text);
    expect(await probeServer(server)).toMatchObject(expected);
  });

  it.each([
    ['one large field', `x: ${'y'.repeat(66 * 1_024)}\r\n`],
    ['many small fields', Array.from({ length: 12_000 }, (_, index) => `x-${index}: y\r\n`).join('')],
  ])('is a protocol error when its header has %s', async (_, fields) => {
    await using server = await serveText(`HTTP/1.1 402 A\r\n${fields}content-length: 0\r\n\r\n`);
    expect(await probeServer(server)).toMatchObject({
      outcome: 'protocol-error',
      failure: { phase: 'transfer', code: 'HPE_HEADER_OVERFLOW' },
    });
  });

  it.each([
    ['one large field', `x: ${'y'.repeat(60 * 1_024)}\r\n`],
    ['many small fields', Array.from({ length: 4_000 }, (_, index) => `a${index}: b\r\n`).join('')],
  ])('is complete when its header is within the limit, with %s', async (_, fields) => {
    await using server = await serveText(
      `HTTP/1.1 402 A\r\n${fields}content-length: 0\r\npayment-required: last\r\n\r\n`,
    );
    const probe = await probeServer(server);
    expect(probe).toMatchObject({ outcome: 'challenged', failure: null });
    expect(probe.headers.at(-1)).toEqual(['payment-required', 'last']);
  });

  it('may begin with interim responses, whose statuses are reported', async () => {
    const interimStatuses = [100, 103, 103, 199];
    const interim = interimStatuses.map((status) => `HTTP/1.1 ${status} A\r\nlink: </a>\r\n\r\n`).join('');
    await using server = await serveText(`${interim}HTTP/1.1 402 A\r\ncontent-length: 2\r\n\r\nok`);
    expect(await probeServer(server)).toMatchObject({ outcome: 'challenged', body: 'ok', interimStatuses });
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
  let sent = 0;
  const serveEndless = (status: number) =>
    serve((_, response) => {
      response.writeHead(status);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1024))) sent += 1;
        sent += 1;
        response.once('drain', more);
      };
      more();
    });

  it('truncates the body, and no more is read', async () => {
    await using server = await serveEndless(200);
    const probe = await probeServer(server, { limits: { bodyBytes: 10_000 } });
    expect(probe).toMatchObject({
      outcome: 'free',
      body: 'x'.repeat(10_000),
      bodyEnd: 'size-limit',
      failure: null,
    });
    const sentBefore = sent;
    await runEventLoop();
    // After the client stops reading, the server can send only the data that the buffers of the two sockets can hold.
    expect(sent - sentBefore).toBeLessThan(8_192);
  });

  it('of a challenge is followed by a search for its end, which stops after 4 MiB', async () => {
    await using server = await serveEndless(402);
    const probe = await probeServer(server, { limits: { bodyBytes: 10_000 } });
    expect(probe).toMatchObject({
      ...{ outcome: 'challenged', body: 'x'.repeat(10_000), bodyEnd: 'too-long', failure: null },
    });
  });

  it('counts a chunk as 256 bytes in this search, because each chunk costs time', async () => {
    const chunks = '1\r\nx\r\n'.repeat(20_000);
    await using server = await serveText(
      `HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(await probeServer(server, { limits: { bodyBytes: 1_000 } })).toMatchObject({
      bodyEnd: 'too-long',
    });
  });

  it('does not truncate a body of exactly that length', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end('x'.repeat(10_000)));
    const probe = await probeServer(server, { limits: { bodyBytes: 10_000 } });
    expect(probe).toMatchObject({ body: 'x'.repeat(10_000), bodyEnd: 'complete' });
  });

  it('applies to the bytes of a body, and not to its chunks', async () => {
    const probe = async (size: number) => {
      const chunks = '1\r\nx\r\n'.repeat(size);
      await using server = await serveText(
        `HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      );
      return await probeServer(server, { limits: { bodyBytes: 10_000 } });
    };
    expect(await probe(10_000)).toMatchObject({ body: 'x'.repeat(10_000), bodyEnd: 'complete' });
    expect(await probe(10_001)).toMatchObject({ body: 'x'.repeat(10_000), bodyEnd: 'size-limit' });
  });
});

describe('retryAfterSeconds', () => {
  const date = 'Sat, 21 Nov 2026 12:00:45 GMT';

  it.each([
    [429, { 'retry-after': '90' }, 90],
    [503, { 'retry-after': date, date: 'Sat, 21 Nov 2026 12:00:00 GMT' }, 45],
    [402, {}, null],
  ])('for status %i with %j is %j', async (status, headers, retryAfterSeconds) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    expect(await probeServer(server)).toMatchObject({ httpStatus: status, retryAfterSeconds });
  });

  it.each([0, 1])('uses the injected clock without a Date header, and rounds up: %i ms later', async (ms) => {
    await using server = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': date }).end();
    });
    const now = () => Date.parse('2026-11-21T12:00:00Z') + ms;
    expect((await probeServer(server, { now })).retryAfterSeconds).toBe(45);
  });
});
