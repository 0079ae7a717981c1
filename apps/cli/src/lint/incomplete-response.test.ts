import { describe, expect, it } from 'vitest';
import { createChallengeHeaders, createEnvelope } from '../testing/saved-response.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { startRawServer } from '../testing/raw-server.ts';

async function lint(port: number): Promise<string> {
  const target = `http://127.0.0.1:${String(port)}/`;
  const { stdout } = await runInProcess(['lint', '--allow-private', target]);
  return stdout.replace(/\s+/g, ' ');
}

const url = 'http://127.0.0.1/';
const head = Object.entries(createChallengeHeaders(createEnvelope(url)))
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

describe('an incomplete response', () => {
  it('is checked by its headers when the body ends early', async () => {
    await using server = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 402 Payment Required\r\n${head}Content-Length: 100\r\n\r\n{"x402`),
    );
    const report = await lint(server.port);
    expect(report).toContain('GET returned 402 with x402 version 2 payment terms in the header.');
    expect(report).toContain(
      'The connection failed during the body (ECONNRESET). Only the headers were checked.',
    );
  });

  it('is reported with a fix when the headers exceed 64 KiB', async () => {
    await using server = await startRawServer((socket) =>
      socket.write(`HTTP/1.1 402 Payment Required\r\nPAYMENT-REQUIRED: ${'A'.repeat(70_000)}\r\n\r\n`),
    );
    const report = await lint(server.port);
    expect(report).toContain('GET got no response: the response headers are longer than 64 KiB in total.');
    expect(report).toContain('Fix: Shorten the headers');
    expect(report).not.toContain('Make sure that the host resolves');
  });
});
