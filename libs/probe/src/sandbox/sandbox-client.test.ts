import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SandboxNotRunningError, connectToSandbox } from './sandbox-client.ts';
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
/** What the world says of itself now. */
let said: unknown;
let status: number;

beforeEach(async () => {
  said = { at: null, zone };
  status = 200;
  server = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'PUT') said = { ...(JSON.parse(body) as object), zone };
      response.writeHead(request.url === '/clock' ? status : 404).end(JSON.stringify(said));
    });
  });
  folder = mkdtempSync(join(tmpdir(), 'touchstone-world-'));
  note = join(folder, 'sandbox.json');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, 'a certificate');
  writeFileSync(note, JSON.stringify({ controlUrl: `http://127.0.0.1:${server.port}`, caFile, more: 1 }));
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('a world on this machine', () => {
  it('has names, a suffix and an authority of its own', async () => {
    const world = await connectToSandbox(note);
    expect(world).toMatchObject({ ca: 'a certificate', hostSuffix: '.sandbox.test' });
    expect(world.frozenAt()).toBeNull();
    const here = { address: '127.0.0.1', family: 4, port: 4402, isTrusted: true };
    expect(await world.resolver('weather.sandbox.test', signal)).toEqual([here]);
    await expect(world.resolver('example.com', signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is followed when it is read again', async () => {
    const world = await connectToSandbox(note);
    await expect(world.resolver('gone.sandbox.test', signal)).rejects.toThrow();
    said = { at: '2026-11-01T00:00:00.000Z', zone: { ...zone, unresolvable: [] } };
    await world.refresh();
    expect(world.frozenAt()).toBe(Date.parse('2026-11-01T00:00:00Z'));
    expect(await world.resolver('gone.sandbox.test', signal)).toHaveLength(1);
  });

  it('has a clock that can be set', async () => {
    const world = await connectToSandbox(note);
    await world.setClock(Date.parse('2026-11-02T00:00:00Z'));
    expect(world.frozenAt()).toBe(Date.parse('2026-11-02T00:00:00Z'));
    await world.setClock(null);
    expect(world.frozenAt()).toBeNull();
  });

  it('keeps what it knows when it cannot be read again', async () => {
    const world = await connectToSandbox(note);
    status = 500;
    await expect(world.refresh()).rejects.toThrow('answered 500');
    expect(await world.resolver('weather.sandbox.test', signal)).toHaveLength(1);
  });
});

describe('no world', () => {
  it('is where no note is, or one that cannot be read', async () => {
    await expect(connectToSandbox(join(folder, 'none.json'))).rejects.toThrow(SandboxNotRunningError);
    writeFileSync(note, '{"controlUrl": 5}');
    await expect(connectToSandbox(note)).rejects.toThrow('sandbox.json cannot be read');
  });

  it('is where a note was left behind', async () => {
    await server[Symbol.asyncDispose]();
    await expect(connectToSandbox(note)).rejects.toThrow('where nobody answers, so its service has ended');
  });
});
