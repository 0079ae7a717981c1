import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  SandboxNotRunningError,
  openSandboxClient,
  createZoneResolver,
  zoneSchema,
} from './sandbox-client.ts';
import { serve, type RunningServer } from '../testing/servers.ts';

const zone = {
  suffix: 'sandbox.test',
  address: '127.0.0.1',
  port: 4402,
  unresolvable: ['gone.sandbox.test'],
  overrides: {},
};
const signal = new AbortController().signal;
let folder: string;
let note: string;
let server: RunningServer;
/** Body of the control server's next response. */
let responseBody: unknown;
let status: number;

beforeEach(async () => {
  responseBody = { at: null, zone };
  status = 200;
  server = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'PUT') responseBody = { ...(JSON.parse(body) as object), zone };
      response.writeHead(request.url === '/clock' ? status : 404).end(JSON.stringify(responseBody));
    });
  });
  folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  note = join(folder, 'sandbox.json');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, 'a certificate');
  writeFileSync(note, JSON.stringify({ controlUrl: `http://127.0.0.1:${server.port}`, caFile, more: 1 }));
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('the client of a running sandbox', () => {
  it('provides the resolver, the host suffix and the certificate authority', async () => {
    const sandbox = await openSandboxClient(note);
    expect(sandbox).toMatchObject({ ca: 'a certificate', hostSuffix: '.sandbox.test' });
    expect(sandbox.frozenAt()).toBeNull();
    expect(await sandbox.resolver('weather.sandbox.test', signal)).toMatchObject([{ port: 4402 }]);
  });

  it('reads the names and the clock again on refresh', async () => {
    const sandbox = await openSandboxClient(note);
    await expect(sandbox.resolver('gone.sandbox.test', signal)).rejects.toThrow();
    responseBody = { at: '2026-11-01T00:00:00.000Z', zone: { ...zone, unresolvable: [] } };
    await sandbox.refresh();
    expect(sandbox.frozenAt()).toBe(Date.parse('2026-11-01T00:00:00Z'));
    expect(await sandbox.resolver('gone.sandbox.test', signal)).toHaveLength(1);
  });

  it('sets the clock', async () => {
    const sandbox = await openSandboxClient(note);
    await sandbox.setClock(Date.parse('2026-11-02T00:00:00Z'));
    expect(sandbox.frozenAt()).toBe(Date.parse('2026-11-02T00:00:00Z'));
    await sandbox.setClock(null);
    expect(sandbox.frozenAt()).toBeNull();
  });

  it('keeps the last state when a refresh fails', async () => {
    const sandbox = await openSandboxClient(note);
    status = 500;
    await expect(sandbox.refresh()).rejects.toThrow('responded with 500');
    expect(await sandbox.resolver('weather.sandbox.test', signal)).toHaveLength(1);
  });
});

describe('openSandboxClient', () => {
  it('rejects when the sandbox file is missing or invalid', async () => {
    await expect(openSandboxClient(join(folder, 'none.json'))).rejects.toThrow(SandboxNotRunningError);
    writeFileSync(note, '{"controlUrl": 5}');
    await expect(openSandboxClient(note)).rejects.toThrow('sandbox.json cannot be read');
  });

  it('rejects when the sandbox no longer responds', async () => {
    await server[Symbol.asyncDispose]();
    await expect(openSandboxClient(note)).rejects.toThrow('which does not respond: its service has stopped');
  });
});

describe('names of a zone', () => {
  const resolver = createZoneResolver(() => ({ ...zone, overrides: { 'dead.sandbox.test': { port: 1 } } }));

  it.each([
    ['weather.sandbox.test', 4402],
    ['dead.sandbox.test', 1],
  ])(
    'resolve to the address and port of the zone or of their override: %s to port %i',
    async (name, port) => {
      const here = { address: '127.0.0.1', family: 4, port, isTrusted: true };
      expect(await resolver(name, signal)).toEqual([here]);
    },
  );

  it.each(['gone.sandbox.test', 'example.com', 'sandbox.test', 'evilsandbox.test'])(
    'do not include %s',
    async (name) => {
      await expect(resolver(name, signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    },
  );

  it('are rejected in any other format', () => {
    expect(() => zoneSchema.parse({ ...zone, port: 'all' })).toThrow();
  });
});
