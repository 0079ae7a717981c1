import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeHeaders, envelopeFor } from '../testing/answers.ts';
import { jsonLines, touchstone } from '../testing/command.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { serve, type Running } from '../testing/serve.ts';

const requests: string[] = [];
const visitors = new Set<string>();
let amount = 10_000;
let plain: Running;
let secure: Running;
let folder: string;
let caFile: string;
/** Holds another authority. */
let otherFile: string;

/** A seller whose paths each behave in a way of their own. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '', headers } = request;
  requests.push(`${method} ${url}`);
  visitors.add(headers['user-agent'] ?? '');
  if (url === '/post-only' && method !== 'POST') response.writeHead(405).end();
  else if (url === '/down') request.socket.destroy();
  else if (url === '/gone') response.writeHead(404).end();
  else {
    if (url === '/restless') amount += 1;
    const envelope = envelopeFor(`http://${headers.host ?? ''}${url}`, { amount: String(amount) });
    response.writeHead(402, challengeHeaders(envelope)).end('{}');
  }
}

beforeAll(async () => {
  const identity = selfSigned('localhost');
  folder = mkdtempSync(join(tmpdir(), 'touchstone-live-'));
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, identity.cert);
  otherFile = join(folder, 'other.pem');
  writeFileSync(otherFile, selfSigned('other.example').cert);
  plain = await serve(answer);
  secure = await serve(answer, identity);
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://127.0.0.1:${String(plain.port)}${path}`;

async function lint(...args: readonly string[]) {
  requests.length = 0;
  const { code, stdout, stderr } = await touchstone(['lint', '--json', '--allow-private', ...args]);
  const [line] = jsonLines(stdout);
  const checks = (line?.['checks'] ?? []) as { id: string; pass: boolean }[];
  return { code, line, stderr, pass: (id: string) => checks.find((check) => check.id === id)?.pass };
}

describe('an endpoint', () => {
  it('is asked twice by GET when it is challenged, so that its terms can be compared', async () => {
    const { line, pass } = await lint(at('/weather'));
    expect(requests).toEqual(['GET /weather', 'GET /weather']);
    expect(line).toMatchObject({
      url: at('/weather'),
      method: 'GET',
      status: 402,
      payable: { v1: false, v2: true },
    });
    expect(pass('terms-stable')).toBe(true);
  });

  it('is told who asks', async () => {
    visitors.clear();
    await lint(at('/weather'));
    expect([...visitors]).toEqual([
      expect.stringMatching(/^Touchstone\/[\d.]+ \(touchstone lint; unpaid requests, sent by hand\)$/),
    ]);
  });

  it('is caught at terms that change', async () => {
    const { pass } = await lint(at('/restless'));
    expect(pass('terms-stable')).toBe(false);
  });

  it('is asked by POST when GET is not its method', async () => {
    const { line } = await lint(at('/post-only'));
    expect(requests).toEqual(['GET /post-only', 'POST /post-only', 'POST /post-only']);
    expect(line).toMatchObject({ method: 'POST', status: 402 });
  });

  it('is asked by the method that is wished for alone', async () => {
    await lint('--method', 'post', at('/weather'));
    expect(requests).toEqual(['POST /weather', 'POST /weather']);
  });

  it('fails when it asks for nothing', async () => {
    const { code, line } = await lint(at('/gone'));
    expect(code).toBe(1);
    expect(line).toMatchObject({ status: 404, verdict: 'unpayable', payable: { v1: false, v2: false } });
  });

  it('fails when it gives no answer', async () => {
    const { code, line } = await lint(at('/down'));
    expect(code).toBe(1);
    expect(line).toMatchObject({
      method: 'GET',
      status: null,
      version: null,
      verdict: 'unpayable',
      options: [],
    });
  });

  it('is found by the names of this machine', async () => {
    const { line } = await lint(`http://localhost:${String(plain.port)}/weather`);
    expect(line).toMatchObject({ status: 402 });
  });

  it('is asked over TLS that is checked', async () => {
    const url = `https://localhost:${String(secure.port)}/weather`;
    const trusted = await lint('--ca', caFile, url);
    expect(trusted.line).toMatchObject({ url, status: 402 });
    const named = await touchstone(['lint', '--json', '--allow-private', '--ca', otherFile, url], '', {
      NODE_EXTRA_CA_CERTS: caFile,
    });
    expect(jsonLines(named.stdout)[0]).toMatchObject({ status: 402 });
    const untrusted = await lint(url);
    expect(untrusted.line?.['notes']).toEqual([expect.stringContaining('--ca')]);
    expect([untrusted.code, untrusted.line?.['status']]).toEqual([1, null]);
  });
});

describe('no verdict, and 2, comes of', () => {
  it('a private address, until it is allowed', async () => {
    requests.length = 0;
    const { code, stdout, stderr } = await touchstone(['lint', at('/weather')]);
    expect([code, stdout, requests]).toEqual([2, '', []]);
    expect(stderr).toContain('127.0.0.1 is not dialled: loopback');
    expect(stderr).toContain('--allow-private');
  });

  it('a name of this machine, until it is allowed', async () => {
    requests.length = 0;
    const { code, stderr } = await touchstone(['lint', `http://localhost:${String(plain.port)}/weather`]);
    expect([code, requests]).toEqual([2, []]);
    expect(stderr).toContain('localhost is a name of your own machine or network: give --allow-private');
  });

  it('a name of the sandbox on the internet', async () => {
    const { code, stdout, stderr } = await touchstone(['lint', 'https://weather.sandbox.test/now']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--sandbox');
  });

  it('a file of certificates that holds none', async () => {
    const file = join(folder, 'empty.pem');
    writeFileSync(file, 'nothing');
    const { code, stderr } = await touchstone(['lint', '--ca', file, 'https://127.0.0.1']);
    expect(code).toBe(2);
    expect(stderr).toContain(`--ca ${file} holds no PEM certificate`);
  });
});

describe('the report for people', () => {
  it('says what was asked, who can pay it, what it asks, and counts the checks', async () => {
    const { stdout } = await touchstone(['lint', '--allow-private', at('/weather')]);
    expect(stdout).toContain('GET was answered 402, with terms of version 2 in the header.');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Version 2 clients would sign a payment for this. Version 1 clients would not.',
    );
    expect(stdout).toMatch(/^Asks [\d.]+ USDC \(\$[\d.]+\) on eip155:8453$/m);
    expect(stdout).toContain('to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C');
    expect(stdout).toMatch(
      /^Payable with warnings: \d+ errors?, \d+ warnings?, (\d+ remarks?, )?\d+ passed, \d+ did not apply\n$/m,
    );
  });

  it('says why no answer came', async () => {
    const { code, stdout } = await touchstone(['lint', '--allow-private', at('/down')]);
    expect(code).toBe(1);
    expect(stdout).toContain('GET got no answer: the connection failed (ECONNRESET).');
  });
});
