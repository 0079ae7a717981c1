import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { startSandbox } from './start-sandbox.ts';

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
    const { receiverUrl, chains, chainMissing } = await startSandbox({ folder, config, supervisor });
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
