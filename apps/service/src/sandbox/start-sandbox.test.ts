import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { startSandbox } from './start-sandbox.ts';

it('writes a file with the addresses of the sandbox, and removes it at the end', async () => {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
  const folder = openDataFolder(path);
  const file = join(path, 'sandbox.json');
  try {
    const { child, receiverUrl } = await startSandbox(folder, {
      sandbox: { seed: 'touchstone', days: 0, listings: null },
      baseUrl: 'http://localhost:3000',
    });
    const sandboxFile = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'controlUrl' | 'caFile' | 'serviceUrl' | 'demoWalletKeyFile',
      string
    >;
    expect(sandboxFile.serviceUrl).toBe('http://localhost:3000');
    expect(readFileSync(sandboxFile.demoWalletKeyFile, 'utf8')).toMatch(/^0x[0-9a-f]{64}\n$/);
    expect((await fetch(`${sandboxFile.controlUrl}/zone`)).status).toBe(200);
    expect(await (await fetch(`${receiverUrl}/deliveries`)).json()).toEqual({ deliveries: [] });
    expect(readFileSync(sandboxFile.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
    await child.stop();
    expect(existsSync(file)).toBe(false);
  } finally {
    folder.release();
    rmSync(path, { recursive: true, force: true });
  }
});

it('returns the URL of the facilitator', async ({ skip }) => {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
  const folder = openDataFolder(path);
  const { child, chains, chainMissing } = await startSandbox(folder, {
    sandbox: { seed: 'touchstone', days: 0, listings: null },
    baseUrl: 'http://localhost:3000',
  });
  try {
    // The test is skipped on platforms for which npm has no anvil, the program that runs the chain.
    if (chains === null) skip(chainMissing ?? 'there is no chain');
    expect(chainMissing).toBeNull();
    const supported = await fetch(`${chains?.facilitatorUrl ?? ''}/supported`);
    expect(await supported.json()).toMatchObject({ signers: { 'eip155:*': [expect.any(String)] } });
  } finally {
    await child.stop();
    folder.release();
    rmSync(path, { recursive: true, force: true });
  }
});
