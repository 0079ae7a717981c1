import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@touchstone/embedded';
import { migratedTemplate } from '@touchstone/embedded/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { openSigningKeys, openWatchKeys } from '../data-folder/keys.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-backup-'));
const dataDir = join(root, 'data');
const archive = join(root, 'backup.tar.gz');

beforeAll(async () => {
  const folder = openDataFolder(dataDir);
  openWatchKeys(folder);
  openSigningKeys(folder);
  const database = await startEmbedded({
    ...{ dataDir: join(dataDir, 'db'), keys: folder.keys, template: await migratedTemplate() },
  });
  await database.connection.driver.query(`select public.start_discovery('kept', '2026-11-01')`);
  await database.close();
  folder.release();
  await createBackup(dataDir, archive);
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the backup of a stopped service', () => {
  it('can be read by its owner only, and is restored with its rows and keys', async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const target = join(root, 'restored');
    await restoreBackup(archive, target);
    for (const file of ['signing-keys.json', 'state.json', 'watch-keys.txt'])
      expect(readFileSync(join(target, file))).toEqual(readFileSync(join(dataDir, file)));
    const folder = openDataFolder(target);
    const database = await startEmbedded({ dataDir: join(target, 'db'), keys: folder.keys });
    const { rows } = await database.connection.driver.query('select directory from public.discovery_runs');
    expect(rows).toEqual([{ directory: 'kept' }]);
    await database.close();
    folder.release();
  });

  it.each([
    ['bytes in the middle', (bytes: Buffer) => bytes.subarray(bytes.length >> 1).subarray(0, 1_024)],
    ['bytes of its checksum', (bytes: Buffer) => bytes.subarray(-8, -4)],
  ])('is refused if %s are damaged, and the folder gets no data', async (name, select) => {
    const damaged = join(root, `${name}.tar.gz`);
    const bytes = readFileSync(archive);
    // A single bit can be without effect: it may only name another distance in a run of zeros.
    for (const [index, byte] of select(bytes).entries()) select(bytes)[index] = byte ^ 255;
    writeFileSync(damaged, bytes);
    const target = join(root, `target of ${name}`);
    await expect(restoreBackup(damaged, target)).rejects.toThrow(/is not a complete backup/);
    expect(readdirSync(target)).toEqual(['lock']);
  });
});
