import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { probeServer } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import type { Probe } from '../types.ts';

const text = JSON.stringify({ x402Version: 2, error: 'Payment required – bitte zahlen 💸' });

async function probeBody(
  body: Uint8Array | string,
  contentEncoding?: string | string[],
  bodyBytes = 4_096,
): Promise<Probe> {
  await using server = await serve((_, response) => {
    if (contentEncoding !== undefined) response.setHeader('content-encoding', contentEncoding);
    response.writeHead(402).end(body);
  });
  return await probeServer(server, { limits: { bodyBytes } });
}

describe('an encoded body', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip,  GZIP', gzipSync(gzipSync(text))],
    [['gzip', 'br'], brotliCompressSync(gzipSync(text))],
    ['gzip,gzip,gzip,gzip,br', brotliCompressSync(gzipSync(gzipSync(gzipSync(gzipSync(text)))))],
  ])('is decoded from %j', async (coding, body) => {
    expect(await probeBody(body, coding)).toMatchObject({ body: text, bodyEnd: 'complete', failure: null });
  });

  it.each(['identity', '', 'UTF-8', 'none', 'aws-chunked', 'utf8, gzip', 'gzip, identity', 'gzip,'])(
    'is used as it is with the coding %j',
    async (coding) => {
      expect(await probeBody(text, coding)).toMatchObject({ body: text, bodyEnd: 'complete', failure: null });
    },
  );

  it('is a protocol error with more codings than fetch accepts', async () => {
    expect(await probeBody(text, 'a,b,c,d,e,f')).toMatchObject({
      outcome: 'protocol-error',
      httpStatus: 402,
    });
  });

  it('may be empty', async () => {
    expect(await probeBody('', 'gzip')).toMatchObject({ outcome: 'challenged', body: '', failure: null });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000, 'x'))],
    ['deflate', deflateSync(Buffer.alloc(50_000_000, 'x'))],
    ['deflate', deflateRawSync(Buffer.alloc(50_000_000, 'x'))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000, 'x'))],
    ['zstd', zstdCompressSync(Buffer.alloc(50_000_000, 'x'))],
    ['br, gzip', gzipSync(brotliCompressSync(Buffer.alloc(50_000_000, 'x')))],
  ])('that is a %s bomb takes no more memory than the limit', async (coding, bomb) => {
    expect(bomb.length).toBeLessThan(60_000);
    const before = process.memoryUsage().rss;
    const probe = await probeBody(bomb, coding, 65_536);
    expect(probe).toMatchObject({
      outcome: 'challenged',
      body: 'x'.repeat(65_536),
      bodyEnd: 'size-limit',
      failure: null,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  it('is truncated when it is longer than the limit before decoding', async () => {
    const noise = Array.from({ length: 4_000 }, (_, index) => Math.sin(index).toString(36)).join('');
    const probe = await probeBody(gzipSync(noise), 'gzip', 8_000);
    expect(probe).toMatchObject({ outcome: 'challenged', bodyEnd: 'size-limit', failure: null });
    expect(probe.body).toBe(noise.slice(0, 8_000));
  });

  it.each([
    ['does not match its Content-Encoding', 'gzip', Buffer.from(text)],
    ['ends in random bytes', 'gzip', Buffer.concat([gzipSync(text).subarray(0, 10), Buffer.alloc(60, 0xff)])],
    ['consists of random bytes', 'br', Buffer.alloc(60, 0xff)],
    ['is not zstd data', 'zstd', Buffer.from(text)],
    ['lacks one of two codings', 'gzip, br', gzipSync(text)],
  ])('that %s keeps the outcome of its status', async (_, coding, body) => {
    const probe = await probeBody(body, coding);
    expect(probe).toMatchObject({ outcome: 'challenged', httpStatus: 402, bodyEnd: 'undecodable' });
    expect(probe.failure).toMatchObject({ phase: 'transfer' });
  });
});

describe('text', () => {
  it('is decoded as UTF-8 without its byte order mark', async () => {
    expect(await probeBody(`\uFEFF${text}`)).toMatchObject({ body: text });
  });

  it('contains U+FFFD for bytes that are not UTF-8', async () => {
    expect(await probeBody(Buffer.from([0x61, 0xff, 0x62]))).toMatchObject({
      body: 'a\uFFFDb',
      outcome: 'challenged',
    });
  });
});
