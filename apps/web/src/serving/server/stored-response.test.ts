import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoredResponse as Stored, StoredResponseOptions } from './stored-response.ts';
import { gzip, gzipSync } from 'node:zlib';
import fc from 'fast-check';

vi.mock(import('node:zlib'), { spy: true });
// Other tests of the same process may have loaded the module without the spies, so it is loaded again.
vi.resetModules();
const { negotiateEncoding, StoredResponse } = await import('./stored-response.ts');

const TEXT = 'text '.repeat(100);
let stored: Stored;
const server = createServer((request, response) => {
  stored.send(request, response).catch(() => response.writeHead(500).end());
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

function store(options: Partial<StoredResponseOptions>): void {
  stored = new StoredResponse({ headers: [], etag: undefined, body: TEXT, ...options });
}

function send(headers: Record<string, string> = {}): Promise<Response> {
  // The cast is safe, because the address of a TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}`, { headers: { 'accept-encoding': 'gzip', ...headers } });
}

it('has the same entity tag with 304 as with 200', async () => {
  store({ etag: '"one"' });
  const known = { 'if-none-match': 'W/"one"' };
  for (const headers of [{}, known]) expect((await send(headers)).headers.get('etag')).toBe('W/"one"');
  for (const headers of [{}, known]) {
    const response = await send({ ...headers, 'accept-encoding': 'identity' });
    expect(response.headers.get('etag')).toBe('"one"');
  }
  expect((await send(known)).status).toBe(304);
});

it.each([
  [[], 'Accept-Encoding'],
  [['Vary', 'Accept'], 'Accept, Accept-Encoding'],
  [['vary', 'rsc, accept-encoding'], 'rsc, accept-encoding'],
])('with the headers %j has the header Vary: %s', async (headers, vary) => {
  store({ headers });
  expect((await send()).headers.get('vary')).toBe(vary);
});

it.each(['br', 'gzip', 'identity'])(
  'sends a text that is stored with gzip with the encoding %s',
  async (encoding) => {
    store({ body: gzipSync(TEXT) });
    for (let count = 0; count < 2; count += 1) {
      const response = await send({ 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      expect(await response.text()).toBe(TEXT);
    }
  },
);

it('encodes the body again after a failed encoding', async () => {
  store({});
  vi.mocked<(body: Buffer, callback: (error: Error | null) => void) => void>(gzip).mockImplementationOnce(
    (_, callback) => callback(new Error('out of memory')),
  );
  expect((await send()).status).toBe(500);
  expect(await (await send()).text()).toBe(TEXT);
});

describe('negotiateEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['gzip;q=high', 'identity'],
    [`${'x,'.repeat(200)}gzip`, 'identity'],
  ])('for %j returns %s', (header, expected) => {
    expect(negotiateEncoding(header)).toBe(expected);
  });

  it('returns an encoding for any header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(['br', 'gzip', 'identity']).toContain(negotiateEncoding(header));
      }),
    );
  });
});
