import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CONNECTION_LIMIT_CODE } from './outcome/classify-outcome.ts';
import { createSender, type Sender, type SendRequest } from './create-sender.ts';
import { createAuthority } from './testing/certificates.ts';
import { createLocalResolver } from './testing/prober.ts';
import { serve, serveTcp } from './testing/servers.ts';
import type { Resolver } from './types.ts';

const authority = createAuthority();
const tls = authority.issue(['receiver.example']);

function createTestSender(port: number): Sender {
  const resolver = createLocalResolver(port);
  return createSender({ resolver, ca: [authority.cert], userAgent: 'Touchstone-test/1.0' });
}

function createMessage(change: Partial<SendRequest> = {}): SendRequest {
  return {
    url: 'https://receiver.example/hook?key=1',
    method: 'POST',
    headers: {},
    body: '{}',
    timeoutMs: 15_000,
    maxReplyBytes: 1_024,
    ...change,
  };
}

describe('a message', () => {
  it('arrives with its headers and with the exact bytes of its body', async () => {
    const received: {
      readonly target: string;
      readonly headers: readonly string[];
      readonly body: string;
    }[] = [];
    await using server = await serve(
      (request, response) => {
        void text(request).then((body) => {
          received.push({ target: `${request.method} ${request.url}`, headers: request.rawHeaders, body });
          response.writeHead(204).end();
        });
      },
      { tls },
    );
    const body = JSON.stringify({ text: 'Zürich – 価格 🚨' });
    const result = await createTestSender(server.port)(
      createMessage({ headers: { 'webhook-id': 'evt_1', 'x-signature': 'sha256=00' }, body }),
    );
    expect(result).toMatchObject({ httpStatus: 204, failure: null, method: 'POST' });
    const size = new TextEncoder().encode(body).length;
    expect(received).toEqual([
      {
        target: 'POST /hook?key=1',
        headers: [
          ...['Host', 'receiver.example', 'User-Agent', 'Touchstone-test/1.0'],
          ...['Accept', '*/*', 'Accept-Encoding', 'gzip, br, deflate'],
          ...['Content-Type', 'application/json', 'Content-Length', String(size)],
          ...['webhook-id', 'evt_1', 'x-signature', 'sha256=00', 'Connection', 'close'],
        ],
        body,
      },
    ]);
  });

  it('can return the size and the hash of the response body, without its content coding', async () => {
    const image = Buffer.from([0xff, 0xd8, 0xff, 0x00]);
    await using server = await serve(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(image)),
      { tls },
    );
    const send = createTestSender(server.port);
    const sha256 = createHash('sha256').update(image).digest('hex');
    expect(await send(createMessage({ digestsBody: true }))).toMatchObject({
      bodyDigest: { bytes: 4, sha256 },
    });
    expect(await send(createMessage())).not.toHaveProperty('bodyDigest');
  });

  it('is sent once over each new connection', async () => {
    await using server = await serve((_, response) => void response.end('ok'), { tls });
    const send = createTestSender(server.port);
    await send(createMessage());
    await send(createMessage());
    expect(server.connections()).toBe(2);
  });

  it('is not sent to the target of a redirect', async () => {
    const paths: (string | undefined)[] = [];
    await using server = await serve(
      (request, response) => {
        paths.push(request.url);
        response.writeHead(307, { location: 'https://receiver.example/other' }).end();
      },
      { tls },
    );
    expect(await createTestSender(server.port)(createMessage())).toMatchObject({
      outcome: 'redirected',
      httpStatus: 307,
    });
    expect(paths).toEqual(['/hook?key=1']);
  });

  it.each([
    'http://receiver.example/hook',
    'ftp://receiver.example/',
    '/hook',
    'https://receiver.example:0/',
  ])('is not sent to a URL that is not https or has no usable port: %s', async (url) => {
    await using server = await serve((_, response) => void response.end('ok'));
    expect(await createTestSender(server.port)(createMessage({ url }))).toMatchObject({
      outcome: 'protocol-error',
      httpStatus: null,
      failure: { code: 'ERR_BAD_TARGET' },
    });
    expect(server.connections()).toBe(0);
  });

  it('is not sent to a server whose certificate is for another host', async () => {
    let requests = 0;
    await using server = await serve(() => (requests += 1), { tls });
    const result = await createTestSender(server.port)(createMessage({ url: 'https://other.example/' }));
    expect(result).toMatchObject({ outcome: 'tls-error', httpStatus: null });
    expect(requests).toBe(0);
  });
});

describe('the address guard', () => {
  it.each([
    [
      'that a name resolves to',
      'https://receiver.example/',
      () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]),
    ],
    [
      'in the URL, without a lookup',
      'https://[::ffff:10.0.0.1]/',
      () => Promise.reject(new Error('looked up')),
    ],
  ] satisfies readonly (readonly [string, string, Resolver])[])(
    'refuses a private address %s',
    async (...row) => {
      const [, url, resolver] = row;
      const send = createSender({ resolver, userAgent: 'Touchstone-test/1.0' });
      expect(await send(createMessage({ url }))).toMatchObject({
        outcome: 'refused-address',
        remoteAddress: null,
      });
    },
  );
});

describe('the limit of connections', () => {
  /** Sends a message to a host with two addresses, of which the second has a server. */
  async function sendOnce(mayConnect: (address: string, url: URL) => boolean, isTrusted?: true) {
    await using server = await serve((_, response) => void response.end('ok'), { tls });
    const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({
      ...{ address, family: 4 as const, port: server.port },
      ...(isTrusted === undefined ? {} : { isTrusted }),
    }));
    const resolver = () => Promise.resolve(addresses);
    const shared = { resolver, ca: [authority.cert], userAgent: 'Touchstone-test/1.0', guard: () => null };
    const probe = await createSender({ ...shared, mayConnect })(createMessage());
    return { probe, connections: server.connections() };
  }

  it('decides on each address right before the connection', async () => {
    const asked: string[] = [];
    const { probe } = await sendOnce((address, { host }) => asked.push(`${host} ${address}`) > 0);
    expect(probe).toMatchObject({ httpStatus: 200 });
    expect(asked).toEqual(['receiver.example 127.0.0.2', 'receiver.example 127.0.0.1']);
  });

  it('prevents the connection, and the failure is our own', async () => {
    const { probe, connections } = await sendOnce(() => false);
    expect(probe).toMatchObject({
      outcome: 'self-failure',
      failure: { phase: 'connect', code: CONNECTION_LIMIT_CODE },
    });
    expect(connections).toBe(0);
  });

  it('does not concern trusted addresses', async () => {
    expect((await sendOnce(() => false, true)).probe).toMatchObject({ httpStatus: 200 });
  });
});

describe('the limits', () => {
  it.each([
    [14_000, { httpStatus: 200, body: 'ok' }],
    [16_000, { outcome: 'timeout', failure: { phase: 'processing' } }],
  ])('allow a response within the timeout of a message: after %i ms', async (ms, expected) => {
    // All deadlines of the sender use this timer. The time passes when the request arrives.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await serve(
      (_, response) => {
        vi.advanceTimersByTime(ms);
        setImmediate(() => response.writeHead(200).end('ok'));
      },
      { tls },
    );
    expect(await createTestSender(server.port)(createMessage())).toMatchObject(expected);
  });

  it('end a TLS handshake that does not continue', async () => {
    await using server = await serveTcp((socket) => void socket.resume());
    const result = await createTestSender(server.port)(createMessage({ timeoutMs: 300 }));
    expect(result).toMatchObject({ outcome: 'timeout', failure: { phase: 'tls' } });
  });

  it('truncate a long response', async () => {
    await using server = await serve((_, response) => void response.end('x'.repeat(9_000)), { tls });
    const result = await createTestSender(server.port)(createMessage({ maxReplyBytes: 1_000 }));
    expect(result).toMatchObject({ httpStatus: 200, body: 'x'.repeat(1_000), bodyEnd: 'size-limit' });
  });
});
