import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectToSandbox } from './sandbox-control.ts';

const zone = {
  suffix: 'sandbox.test',
  address: '127.0.0.1',
  port: 4402,
  unresolvable: [],
  overrides: {},
};
const signal = new AbortController().signal;
let server: Server;
let folder: string;
let sandboxFile: string;
let clocks: unknown[];
/**
 * Values of `paidThrough` in successive responses of the test's control server. After the last value, this value
 * repeats.
 */
let paid: (string | null)[];

beforeEach(async () => {
  clocks = [];
  paid = [null];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'PUT') clocks.push(JSON.parse(body));
      const agents = { paidThrough: paid.length > 1 ? paid.shift() : paid[0] };
      if (request.url === '/agents') return void response.end(JSON.stringify(agents));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ at: null, zone }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  folder = mkdtempSync(join(tmpdir(), 'touchstone-world-'));
  sandboxFile = join(folder, 'sandbox.json');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, 'certificate');
  const controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(sandboxFile, JSON.stringify({ controlUrl, caFile }));
});
afterEach(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

it('sets the clock, and again the time that was set last', async () => {
  const control = await connectToSandbox(sandboxFile);
  await control.restoreClock();
  await control.setClock(Date.parse('2026-11-01T00:00:00Z'));
  await control.restoreClock();
  await control.setClock(null);
  const at = '2026-11-01T00:00:00.000Z';
  expect(clocks).toEqual([{ at }, { at }, { at: null }]);
});

describe('waitForPayments', () => {
  const day = Date.parse('2026-11-02T00:00:00.500Z');

  it('waits until the agents have paid up to the second', async () => {
    const control = await connectToSandbox(sandboxFile);
    paid = ['2026-11-01T12:00:00.000Z', '2026-11-01T23:59:59.000Z', '2026-11-02T00:00:00.000Z'];
    await control.waitForPayments(day, signal);
    expect(paid).toEqual(['2026-11-02T00:00:00.000Z']);
  });

  it('returns at once without agents, or after the signal', async () => {
    const control = await connectToSandbox(sandboxFile);
    await control.waitForPayments(day, signal);
    paid = ['2026-11-01T12:00:00.000Z'];
    await control.waitForPayments(day, AbortSignal.abort());
  });
});
