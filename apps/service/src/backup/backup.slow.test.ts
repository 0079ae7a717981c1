import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded, URL_FILE } from '@touchstone/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { openSigningKeys, openWatchKeys } from '../data-folder/keys.ts';
import { readArchive } from './archive.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-backup-'));
const dataDir = join(root, 'data');
const running = join(root, 'running.tar.gz');
const stopped = join(root, 'stopped.tar.gz');
let during: { readonly before: number; readonly after: number };
let last: number;

/** Records payments with increasing nonces. Returns the HTTP status. */
async function recordPayment(database: { url: string; secret: string }, nonce: number): Promise<number> {
  const response = await fetch(`${database.url}/rest/v1/payments`, {
    method: 'POST',
    headers: { apikey: database.secret, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ network: 'eip155:8453', asset: '0xaa', payer: '0xbb', nonce: String(nonce), route: 'trust' },
      ...{
        request_hash: 'a',
        payment_hash: 'b',
        resource: 'https://one.example/',
        pay_to: '0xcc',
        amount: 1,
      },
      ...{ state: 'settled', valid_before: '2026-11-02', owner: 'test', lease_until: '2026-11-01' },
      ...{ created_at: '2026-11-01', settled_at: '2026-11-01', result: 'x'.repeat(2_000) },
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

beforeAll(async () => {
  const folder = openDataFolder(dataDir);
  openWatchKeys(folder);
  openSigningKeys(folder);
  writeFileSync(join(dataDir, 'old backup.tar.gz'), 'a file of the operator');
  const database = await startEmbedded({ dataDir: join(dataDir, 'db'), keys: folder.keys });
  writeFileSync(join(dataDir, 'db', URL_FILE), database.url);
  const target = { url: database.url, secret: folder.keys.secret };
  let recorded = 0;
  const stopping = new AbortController();
  const buying = (async () => {
    while (!stopping.signal.aborted) if ((await recordPayment(target, recorded)) === 201) recorded += 1;
  })();
  while (recorded < 10) await sleep(5);
  const before = recorded;
  await createBackup(dataDir, running);
  during = { before, after: recorded };
  stopping.abort();
  await buying;
  last = recorded;
  await database.close();
  rmSync(join(dataDir, 'db', URL_FILE));
  folder.release();
  await createBackup(dataDir, stopped);
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('a backup', () => {
  it('can be read by its owner only, and contains the keys but no logs and no lock', async () => {
    expect(statSync(running).mode & 0o777).toBe(0o600);
    const { files: names } = await readArchive(running);
    expect(names.filter((name) => !name.startsWith('db/'))).toEqual([
      'signing-keys.json',
      'state.json',
      'watch-keys.txt',
    ]);
    expect(names).toContain('db/backup_label');
    expect(names.filter((name) => /touchstone\.url|\.new$/.test(name))).toEqual([]);
  });

  it('does not overwrite a file', async () => {
    await expect(createBackup(dataDir, stopped)).rejects.toThrow(/exists already/);
  });

  it('is not written to the data folder', async () => {
    await expect(createBackup(dataDir, join(dataDir, 'in.tar.gz'))).rejects.toThrow(
      /FILE must be outside DATA_DIR/,
    );
    await expect(createBackup(dataDir, `${dataDir}.tar.gz`)).resolves.toBeDefined();
  });

  it('says that a folder has no data', async () => {
    await expect(createBackup(join(root, 'none'), join(root, 'none.tar.gz'))).rejects.toThrow(/has no data/);
  });
});

describe('a restored backup', () => {
  it('of a running service has every payment before its start and no gap, and its keys', async () => {
    const target = join(root, 'restored');
    const { payments } = await restoreBackup(running, target);
    expect(payments).toBeGreaterThanOrEqual(during.before);
    expect(payments).toBeLessThanOrEqual(during.after + 1);
    for (const file of ['watch-keys.txt', 'state.json'])
      expect(readFileSync(join(target, file))).toEqual(readFileSync(join(dataDir, file)));
    const folder = openDataFolder(target);
    const database = await startEmbedded({ dataDir: join(target, 'db'), keys: folder.keys });
    const { rows } = await database.connection.driver.query(
      'select count(*)::int as n, max(nonce::int) as last from public.payments',
    );
    expect(rows).toEqual([{ n: payments, last: Number(payments) - 1 }]);
    expect(await recordPayment({ url: database.url, secret: folder.keys.secret }, 1_000_000)).toBe(201);
    await database.close();
    folder.release();
  });

  it('of a stopped service has all payments', async () => {
    expect(await restoreBackup(stopped, join(root, 'restored-stopped'))).toMatchObject({ payments: last });
  });

  it.each([
    ['is cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    [
      'has a changed byte',
      (bytes: Buffer) =>
        Buffer.from(
          bytes.map((byte, at) =>
            at >= bytes.length >> 1 && at < (bytes.length >> 1) + 1_024 ? byte ^ 255 : byte,
          ),
        ),
    ],
    ['is no archive', () => Buffer.from('text')],
  ])('that %s is refused, and the folder gets no data', async (_, damage) => {
    const damaged = join(root, 'damaged.tar.gz');
    writeFileSync(damaged, damage(readFileSync(stopped)));
    const target = join(root, 'target');
    await expect(restoreBackup(damaged, target)).rejects.toThrow(/is not a complete backup/);
    expect(readdirSync(target)).toEqual(['lock']);
  });

  it('is refused in a folder with data or in use', async () => {
    await expect(restoreBackup(stopped, dataDir)).rejects.toThrow(/has data/);
    const used = join(root, 'used');
    mkdirSync(used);
    const folder = openDataFolder(used);
    await expect(restoreBackup(stopped, used)).rejects.toThrow(/in use|has data/);
    folder.release();
  });
});
