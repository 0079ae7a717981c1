import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openDatabase, type OpenedDatabase } from './open-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-files-'));
let database: OpenedDatabase;
beforeAll(async () => {
  database = await openDatabase({ dataDir: join(folder, 'db'), onFatal: () => undefined });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await database.connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const exec = (sql: string): Promise<unknown> => database.connection.driver.exec(sql);

/** Records each sync of the log, and each data file that is truncated or removed. */
function recordSteps(): string[] {
  const steps: string[] = [];
  const { fdatasyncSync, truncateSync, unlinkSync } = fs;
  const record = (step: string, path: unknown): void => {
    if (String(path).includes('/base/')) steps.push(step);
  };
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation((descriptor) => {
    steps.push('sync');
    fdatasyncSync(descriptor);
  });
  vi.spyOn(fs, 'truncateSync').mockImplementation((...call) => {
    record('truncate', call[0]);
    truncateSync(...call);
  });
  vi.spyOn(fs, 'unlinkSync').mockImplementation((path) => {
    record('unlink', path);
    unlinkSync(path);
  });
  return steps;
}

it('syncs the log before data files are truncated or removed without a write', async () => {
  await exec('create table dropped as select 1 as value');
  // The visibility map is a second file. It is removed immediately.
  await exec('vacuum dropped');
  await exec('checkpoint');
  const steps = recordSteps();
  await exec('drop table dropped');
  expect(steps[0]).toBe('sync');
  expect(steps).toEqual(expect.arrayContaining(['truncate', 'unlink']));
});
