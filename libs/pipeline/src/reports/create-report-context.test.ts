import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority } from '@touchstone/probe/testing';
import { createReportContext, type ReportContextOptions } from './create-report-context.ts';

const options: ReportContextOptions = {
  supabaseUrl: 'http://127.0.0.1:9',
  secretKey: 'secret',
  baseUrl: 'https://touchstone.example',
  vantage: 'EU',
  onChanged: () => Promise.resolve(),
};

let folder: string;
let sandboxFile: string;
let clockAt: string | null;
let userAgents: (string | undefined)[];
let servers: readonly Server[];

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  clockAt = null;
  userAgents = [];
  const authority = createAuthority();
  const endpoints = createServer(authority.issue(['weather.sandbox.test']), (request, response) => {
    userAgents.push(request.headers['user-agent']);
    response.writeHead(402).end();
  });
  const port = await listen(endpoints);
  const zone = { suffix: 'sandbox.test', address: '127.0.0.1', port, unresolvable: [], overrides: {} };
  const control = createHttpServer((_, response) => response.end(JSON.stringify({ at: clockAt, zone })));
  servers = [endpoints, control];
  folder = mkdtempSync(join(tmpdir(), 'touchstone-world-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  sandboxFile = join(folder, 'sandbox.json');
  const controlUrl = `http://127.0.0.1:${await listen(control)}`;
  writeFileSync(sandboxFile, JSON.stringify({ controlUrl, caFile }));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

describe('reports in the sandbox of this machine', () => {
  it('probe only endpoints of the sandbox', async () => {
    const { prober, hostSuffix, mayProbe } = await createReportContext({ ...options, sandboxFile });
    expect([hostSuffix, await mayProbe?.()]).toEqual(['.sandbox.test', true]);
    const inside = await prober({ url: 'https://weather.sandbox.test/', methods: ['GET'] });
    expect(inside).toMatchObject({ outcome: 'challenged', httpStatus: 402 });
    expect(userAgents).toEqual(['Touchstone/0.1 (+https://touchstone.example/)']);
    const outside = await prober({ url: 'https://example.com/', methods: ['GET'] });
    expect(outside).toMatchObject({ outcome: 'dns-error', httpStatus: null });
  });

  it('use stored data during the time-lapse', async () => {
    clockAt = '2026-10-01T00:00:00.000Z';
    const { mayProbe } = await createReportContext({ ...options, sandboxFile });
    expect(await mayProbe?.()).toBe(false);
  });

  it('fail without a running sandbox', async () => {
    await expect(createReportContext({ ...options, sandboxFile: join(folder, 'none') })).rejects.toThrow(
      'cannot be read',
    );
  });
});

describe('reports on the public internet', () => {
  it('never connect to a private address', async () => {
    const { prober, hostSuffix } = await createReportContext(options);
    expect(hostSuffix).toBeNull();
    expect(await prober({ url: 'https://127.0.0.1/', methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
      httpStatus: null,
    });
  });
});
