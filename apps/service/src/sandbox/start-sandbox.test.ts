import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { connectToSandbox, startSandboxProcess } from './start-sandbox.ts';

const config = {
  sandbox: { seed: 'touchstone', days: 0, listings: null, network: 'eip155:8453' },
  baseUrl: 'http://localhost:3000',
} as const;
it('returns its URLs, writes a file with its addresses, and removes the file at the end', async ({
  skip,
}) => {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
  const folder = openDataFolder(path);
  const supervisor = new Supervisor({ logDir: join(path, 'logs'), print: () => undefined });
  const file = join(path, 'sandbox.json');
  try {
    const { receiverUrl, chains, chainMissing } = await startSandboxProcess({ folder, config, supervisor });
    const sandboxFile = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'controlUrl' | 'caFile' | 'serviceUrl' | 'demoWalletKeyFile' | 'network',
      string
    >;
    expect(sandboxFile.serviceUrl).toBe('http://localhost:3000');
    expect(sandboxFile.network).toBe('eip155:8453');
    expect(readFileSync(sandboxFile.demoWalletKeyFile, 'utf8')).toMatch(/^0x[0-9a-f]{64}\n$/);
    expect((await fetch(`${sandboxFile.controlUrl}/zone`)).status).toBe(200);
    expect(await (await fetch(`${receiverUrl}/deliveries`)).json()).toEqual({ deliveries: [] });
    expect(readFileSync(sandboxFile.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
    // npm has no anvil, the program that runs the chain, for some platforms.
    if (chains !== null) {
      expect(chainMissing).toBeNull();
      const supported = await fetch(`${chains.facilitatorUrl}/supported`);
      expect(await supported.json()).toMatchObject({ signers: { 'eip155:*': [expect.any(String)] } });
    }
    await supervisor.stop();
    expect(existsSync(file)).toBe(false);
    if (chains === null) skip(chainMissing ?? 'there is no chain');
  } finally {
    folder.release();
    rmSync(path, { recursive: true, force: true });
  }
});

describe('connectToSandbox', () => {
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
   * Values of `paidThrough` in the responses of the test's control server: one value for each response. All further
   * responses have the last value.
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

  const day = Date.parse('2026-11-02T00:00:00.500Z');

  it('waits for payments until the agents have paid up to the second', async () => {
    const control = await connectToSandbox(sandboxFile);
    paid = ['2026-11-01T12:00:00.000Z', '2026-11-01T23:59:59.000Z', '2026-11-02T00:00:00.000Z'];
    await control.waitForPayments(day, signal);
    expect(paid).toEqual(['2026-11-02T00:00:00.000Z']);
  });

  it('does not wait for payments without agents, or after the signal', async () => {
    const control = await connectToSandbox(sandboxFile);
    await control.waitForPayments(day, signal);
    paid = ['2026-11-01T12:00:00.000Z'];
    await control.waitForPayments(day, AbortSignal.abort());
  });
});
