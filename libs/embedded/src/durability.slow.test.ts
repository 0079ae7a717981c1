import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createKeys, startEmbedded } from './index.ts';
import { startDatabaseProcess } from './testing/database-process.ts';
import { migratedTemplate } from './testing/migrated-template.ts';
import { readNonces, recordPayment, type Target } from './testing/payments.ts';
import { PowerFailure } from './testing/power-failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-durability-'));
const keys = createKeys();
const created = join(folder, 'created');
let disk: PowerFailure | undefined;
beforeAll(async () => {
  await (await startEmbedded({ dataDir: created, keys, template: await migratedTemplate() })).close();
});
afterEach(() => disk?.stop());
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Records payments from several clients until the test stops them. `acknowledged` contains the nonces of the payments
 * with a response.
 */
function buyUntilStopped(target: Target) {
  const acknowledged: string[] = [];
  let isStopped = false;
  const buy = async (client: number): Promise<void> => {
    for (let index = 0; !isStopped; index += 1) {
      const nonce = `${client}-${index}`;
      const status = await recordPayment(target, nonce).catch(() => 0);
      if (status === 201) acknowledged.push(nonce);
    }
  };
  const done = Promise.all([0, 1, 2, 3].map(buy));
  const stop = async (): Promise<void> => {
    isStopped = true;
    await done;
  };
  const waitFor = async (count: number): Promise<void> => {
    while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { acknowledged, waitFor, stop };
}

it('has every acknowledged payment after a power failure, before, during and after a checkpoint', async () => {
  const dataDir = join(folder, 'power');
  cpSync(created, dataDir, { recursive: true });
  disk = new PowerFailure(dataDir);
  const database = await startEmbedded({ dataDir, keys });
  const buyers = buyUntilStopped({ url: database.url, secret: keys.secret });
  const remains: { readonly path: string; readonly acknowledged: readonly string[] }[] = [];
  const failPower = (): void => {
    const path = join(folder, `remains-${remains.length}`);
    disk?.writeRemains(path);
    remains.push({ path, acknowledged: [...buyers.acknowledged] });
  };
  await buyers.waitFor(20);
  failPower();
  await database.connection.driver.exec('checkpoint');
  failPower();
  await buyers.waitFor(60);
  failPower();
  await buyers.stop();
  await database.close();
  const { syncs } = disk;
  disk.stop();
  for (const { path, acknowledged } of remains) {
    const reopened = await startEmbedded({ dataDir: path, keys });
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await readNonces({ url: reopened.url, secret: keys.secret })).toEqual(
      expect.arrayContaining([...acknowledged]),
    );
    await reopened.close();
  }
  expectCheckpointOrder(syncs);
});

/** Expects that the last checkpoint synced the data files, then the log, and then the control file. */
function expectCheckpointOrder(syncs: readonly string[]): void {
  const control = syncs.lastIndexOf('global/pg_control');
  const before = syncs.slice(0, control);
  const firstData = before.findIndex((path) => /^base\/\d+\/\d+$/.test(path));
  expect(firstData).toBeGreaterThan(0);
  expect(before.at(-1)).toMatch(/^pg_wal\/[0-9A-F]{24}$/);
}

it('has every acknowledged payment after kill -9 in the middle of payments', async () => {
  const dataDir = join(folder, 'killed');
  cpSync(created, dataDir, { recursive: true });
  const first = await startDatabaseProcess(dataDir, keys);
  const buyers = buyUntilStopped(first.target);
  await buyers.waitFor(30);
  first.child.kill('SIGKILL');
  await buyers.stop();
  const second = await startDatabaseProcess(dataDir, keys);
  expect(await readNonces(second.target)).toEqual(expect.arrayContaining([...buyers.acknowledged]));
  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
});

it.each([
  ['a full disk', { operation: 'writeSync', code: 'ENOSPC' }, /could not write .*No space left on device$/],
  [
    'a failed sync',
    { operation: 'fdatasyncSync', code: 'EIO' },
    /could not fsync file "[0-9A-F]{24}": I\/O error$/,
  ],
] as const)(
  'ends once when PostgreSQL meets %s, and the next start has every acknowledged payment',
  async (name, fault, reason) => {
    const dataDir = join(folder, name.replaceAll(' ', '-'));
    cpSync(created, dataDir, { recursive: true });
    const { child, target, readErrors } = await startDatabaseProcess(dataDir, keys, fault);
    expect(await recordPayment(target, 'acknowledged')).toBe(201);
    child.kill('SIGUSR2');
    await once(child, 'message');
    const exited = once(child, 'exit');
    await expect(recordPayment(target, 'lost')).rejects.toThrow();
    expect(await exited).toEqual([1, null]);
    const last = readErrors().trim().split('\n').at(-1) ?? '';
    expect(last).toMatch(/^embedded database: PostgreSQL stopped: /);
    expect(last).toMatch(reason);
    const reopened = await startEmbedded({ dataDir, keys });
    const nonces = await readNonces({ url: reopened.url, secret: keys.secret });
    expect(nonces).toContain('acknowledged');
    await reopened.close();
  },
);
