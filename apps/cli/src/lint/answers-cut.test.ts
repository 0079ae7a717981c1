import { describe, expect, it } from 'vitest';
import { challengeHeaders, envelopeFor } from '../testing/answers.ts';
import { runHere } from '../testing/run-here.ts';
import { serveRaw } from '../testing/raw-server.ts';

async function lint(port: number): Promise<string> {
  const target = `http://127.0.0.1:${String(port)}/`;
  const { stdout } = await runHere(['lint', '--allow-private', target]);
  return stdout.replace(/\s+/g, ' ');
}

const url = 'http://127.0.0.1/';
const head = Object.entries(challengeHeaders(envelopeFor(url)))
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

describe('an answer that is cut', () => {
  it('within its body is judged by its headers', async () => {
    await using server = await serveRaw((socket) =>
      socket.end(`HTTP/1.1 402 Payment Required\r\n${head}Content-Length: 100\r\n\r\n{"x402`),
    );
    const report = await lint(server.port);
    expect(report).toContain('GET was answered 402, with terms of version 2 in the header.');
    expect(report).toContain('Its body broke off (ECONNRESET), so it was judged by its headers.');
  });

  it('by us, at 64 KiB of headers, says to shorten them', async () => {
    await using server = await serveRaw((socket) =>
      socket.write(`HTTP/1.1 402 Payment Required\r\nPAYMENT-REQUIRED: ${'A'.repeat(70_000)}\r\n\r\n`),
    );
    const report = await lint(server.port);
    expect(report).toContain('GET got no answer: its headers are longer than 64 KiB together.');
    expect(report).toContain('Fix: Shorten the headers');
    expect(report).not.toContain('Make the host resolve');
  });
});
