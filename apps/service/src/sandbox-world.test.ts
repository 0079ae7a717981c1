import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandboxWorld } from './sandbox-world.ts';

const zone = {
  suffix: 'sandbox.test',
  address: '127.0.0.1',
  port: 4402,
  unresolvable: ['gone.sandbox.test'],
  overrides: { 'dead.sandbox.test': { port: 1 } },
};
const signal = new AbortController().signal;
let server: Server;
let folder: string;
let note: string;
let clocks: unknown[];
/** What the sandbox says of its agents, one answer after the other; the last one for good. */
let paid: (string | null)[];

beforeEach(async () => {
  clocks = [];
  paid = [null];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const put = request.method === 'PUT';
      if (put) clocks.push(JSON.parse(body));
      const agents = { paidThrough: paid.length > 1 ? paid.shift() : paid[0] };
      if (request.url === '/agents') return void response.end(JSON.stringify(agents));
      const answer = { at: null, zone: put ? { ...zone, unresolvable: [] } : zone };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  folder = mkdtempSync(join(tmpdir(), 'touchstone-world-'));
  note = join(folder, 'sandbox.json');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, 'certificate');
  const controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(note, JSON.stringify({ controlUrl, caFile }));
});
afterEach(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

describe('the names of the sandbox', () => {
  it('resolve to this machine, vouched for, on the port they are served on', async () => {
    const { resolver } = await openSandboxWorld(note);
    const here = { address: '127.0.0.1', family: 4, vouched: true };
    expect(await resolver('weather.sandbox.test', signal)).toEqual([{ ...here, port: 4402 }]);
    expect(await resolver('dead.sandbox.test', signal)).toEqual([{ ...here, port: 1 }]);
  });

  it.each(['gone.sandbox.test', 'example.com', 'sandbox.test', 'evilsandbox.test', 'localhost'])(
    'do not include %s',
    async (name) => {
      const world = await openSandboxWorld(note);
      await expect(Promise.resolve().then(() => world.resolver(name, signal))).rejects.toMatchObject({
        code: 'ENOTFOUND',
      });
    },
  );

  it('follow the clock of the world', async () => {
    const world = await openSandboxWorld(note);
    await world.setClock(Date.parse('2026-11-01T00:00:00Z'));
    await world.setClock(null);
    expect(clocks).toEqual([{ at: '2026-11-01T00:00:00.000Z' }, { at: null }]);
    expect(await world.resolver('gone.sandbox.test', signal)).toHaveLength(1);
  });

  it('are told from the hosts of other people by their end', async () => {
    const { hostSuffix } = await openSandboxWorld(note);
    expect('weather.sandbox.test'.endsWith(hostSuffix)).toBe(true);
    for (const host of ['sandbox.test.example.com', 'evilsandbox.test']) {
      expect(host.endsWith(hostSuffix)).toBe(false);
    }
  });
});

describe('the agents of the sandbox', () => {
  const day = Date.parse('2026-11-02T00:00:00.500Z');

  it('are waited for until they have paid up to the second', async () => {
    const world = await openSandboxWorld(note);
    paid = ['2026-11-01T12:00:00.000Z', '2026-11-01T23:59:59.000Z', '2026-11-02T00:00:00.000Z'];
    await world.settled(day, signal);
    expect(paid).toEqual(['2026-11-02T00:00:00.000Z']);
  });

  it('are not waited for where nobody pays, nor when everything stops', async () => {
    const world = await openSandboxWorld(note);
    await world.settled(day, signal);
    paid = ['2026-11-01T12:00:00.000Z'];
    await world.settled(day, AbortSignal.abort());
  });
});
