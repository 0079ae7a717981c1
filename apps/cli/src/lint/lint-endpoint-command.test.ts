import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@touchstone/probe/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, runTouchstone } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallengeHeaders, createEnvelope } from '../testing/saved-response.ts';
import { type Running, startServer } from '../testing/serve.ts';

const requests: string[] = [];
const userAgents = new Set<string>();
let amount = 10_000;
let plain: Running;
let secure: Running;
let folder: string;
let caFile: string;
/** PEM file with a certificate that is unrelated to the test servers. */
let otherFile: string;

/** Responds with a challenge. Some paths respond with an error, or with payment terms that change. */
function respond(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '', headers } = request;
  requests.push(`${method} ${url}`);
  userAgents.add(headers['user-agent'] ?? '');
  const statusOfGet = /^\/post-only\/(\d+)$/.exec(url)?.[1];
  if (statusOfGet !== undefined && method !== 'POST') response.writeHead(Number(statusOfGet)).end();
  else if (url === '/down') request.socket.destroy();
  else if (url === '/gone') response.writeHead(404).end();
  else {
    if (url === '/changing-terms') amount += 1;
    const envelope = createEnvelope(`http://${headers.host ?? ''}${url}`, { amount: String(amount) });
    response.writeHead(402, createChallengeHeaders(envelope)).end('{}');
  }
}

beforeAll(async () => {
  const authority = createAuthority();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-live-'));
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  otherFile = join(folder, 'other.pem');
  writeFileSync(otherFile, createAuthority().cert);
  plain = await startServer(respond);
  secure = await startServer(respond, authority.issue(['localhost']));
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://127.0.0.1:${String(plain.port)}${path}`;

async function lint(...args: readonly string[]) {
  requests.length = 0;
  const { code, stdout, stderr } = await runInProcess(['lint', '--json', '--allow-private', ...args]);
  const [line] = jsonLines(stdout);
  const checks = (line?.['checks'] ?? []) as { id: string; pass: boolean }[];
  return { code, line, stderr, pass: (id: string) => checks.find((check) => check.id === id)?.pass };
}

describe('touchstone lint <url>', () => {
  it('requests a challenge twice and compares the payment terms', async () => {
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

  it('sends its name as the User-Agent', async () => {
    userAgents.clear();
    await lint(at('/weather'));
    expect([...userAgents]).toEqual([
      expect.stringMatching(/^Touchstone\/[\d.]+ \(touchstone lint; unpaid requests, sent by hand\)$/),
    ]);
  });

  it('detects payment terms that change', async () => {
    const { pass } = await lint(at('/changing-terms'));
    expect(pass('terms-stable')).toBe(false);
  });

  it.each([200, 404, 405])('lints POST, and names it, when GET gets status %i', async (status) => {
    const path = `/post-only/${String(status)}`;
    const { line, pass } = await lint(at(path));
    expect(requests).toEqual([`GET ${path}`, `POST ${path}`, `POST ${path}`]);
    expect(line).toMatchObject({
      method: 'POST',
      status: 402,
      notes: ['The checked response is that of POST, because GET was not challenged.'],
    });
    expect(pass('http-status-402')).toBe(true);
  });

  it('resolves names of this machine', async () => {
    const { line } = await lint(`http://localhost:${String(plain.port)}/weather`);
    expect(line).toMatchObject({ status: 402 });
  });

  it('verifies TLS certificates', async () => {
    const url = `https://localhost:${String(secure.port)}/weather`;
    const trusted = await lint('--ca', caFile, url);
    expect(trusted.line).toMatchObject({ url, status: 402 });
    // Node reads this variable when a process starts.
    const named = await runTouchstone(['lint', '--json', '--allow-private', '--ca', otherFile, url], '', {
      NODE_EXTRA_CA_CERTS: caFile,
    });
    expect(jsonLines(named.stdout)[0]).toMatchObject({ status: 402 });
    const untrusted = await lint(url);
    expect(untrusted.line?.['notes']).toEqual([expect.stringContaining('--ca')]);
    expect([untrusted.code, untrusted.line?.['status']]).toEqual([1, null]);
  });
});

describe('exit code 2', () => {
  it('is set for a private address without --allow-private', async () => {
    requests.length = 0;
    const { code, stdout, stderr } = await runInProcess(['lint', at('/weather')]);
    expect([code, stdout, requests]).toEqual([2, '', []]);
    expect(stderr).toContain('127.0.0.1 is not a public address: loopback');
    expect(stderr).toContain('--allow-private');
  });

  it('is set for a name of the sandbox without --sandbox', async () => {
    const { code, stdout, stderr } = await runInProcess(['lint', 'https://weather.sandbox.test/now']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--sandbox');
  });

  it('is set for a file without certificates', async () => {
    const file = join(folder, 'empty.pem');
    writeFileSync(file, 'nothing');
    const { code, stderr } = await runInProcess(['lint', '--ca', file, 'https://127.0.0.1']);
    expect(code).toBe(2);
    expect(stderr).toContain(`--ca ${file} contains no PEM certificate`);
  });
});
