import fs, { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKeys, startEmbedded } from './index.ts';
import { explainStartError } from './open-database.ts';
import { migratedTemplate } from './testing/migrated-template.ts';
import { isWritable, readNonces, recordPayment } from './testing/payments.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-open-'));
const dataDir = join(root, 'db');
const keys = createKeys();

beforeAll(async () => {
  const database = await startEmbedded({ dataDir, keys, template: await migratedTemplate() });
  await recordPayment({ url: database.url, secret: keys.secret }, 'first');
  await database.close();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Makes the file system report this free space. */
function setFreeBytes(bytes: number): void {
  const stats = Object.assign(fs.statfsSync(root), { bsize: 1, bavail: bytes });
  vi.spyOn(fs, 'statfsSync').mockReturnValue(stats);
}

async function openFailure(folder: string): Promise<Error> {
  const error: unknown = await startEmbedded({ dataDir: folder, keys }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(`Expected an Error, received ${String(error)}`);
}

describe('a damaged folder', () => {
  it.each([
    ['without its control file', ['global/pg_control', null], /could not open file "global\/pg_control"/],
    ['of another version', ['PG_VERSION', '12\n'], /initialized by PostgreSQL version 12/],
    ['without a version', ['PG_VERSION', null], /PG_VERSION is missing/],
  ] as const)('%s is explained', async (name, [file, content], reason) => {
    const folder = join(root, name.replaceAll(' ', '-'));
    cpSync(dataDir, folder, { recursive: true });
    if (content === null) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), content);
    const error = await openFailure(folder);
    expect(error.message).toMatch(/is damaged/);
    expect(error.message).toMatch(reason);
    expect(error.message).toContain(
      `restore a backup (DATA_DIR="${root}" npx --no-install touchstone restore FILE)`,
    );
    expect(error.message).not.toMatch(/wasm|\n/i);
  });
});

it('a folder that cannot be written is explained', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  const error = await openFailure(join(file, 'db'));
  expect(error.message).toMatch(/is not writable/);
  expect(error.message).toMatch(/is not writable .* set DATA_DIR to another folder/);
});

describe('a full disk', () => {
  it('is explained at the start, which can be repeated', async () => {
    setFreeBytes(1_000_000);
    const error = await openFailure(dataDir);
    expect(error.message).toMatch(/is full/);
    expect(error.message).toMatch(/is full\. The database needs 48 MB/);
  });

  it('refuses writes and serves reads until there is space', async () => {
    const notices: string[] = [];
    const database = await startEmbedded({ dataDir, keys, onNotice: (text) => notices.push(text) });
    const target = { url: database.url, secret: keys.secret };
    const clock = vi.spyOn(performance, 'now');
    const advance = (): void => void clock.mockReturnValue(1e9 + clock.mock.calls.length * 1_000);
    setFreeBytes(10_000_000);
    advance();
    expect(await recordPayment(target, 'refused')).toBe(500);
    expect(await readNonces(target)).toEqual(['first']);
    expect(await isWritable(target)).toBe(false);
    setFreeBytes(1e12);
    advance();
    expect(await recordPayment(target, 'second')).toBe(201);
    expect(await isWritable(target)).toBe(true);
    expect(notices).toEqual([
      expect.stringMatching(/^The disk is full/),
      expect.stringMatching(/has free space again/),
    ]);
    await database.close();
  });
});

const fileError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });
const [FULL, DAMAGED, UNWRITABLE] = [/is full/, /is damaged/, /is not writable/];
const NOT_STARTED = /^The database in \/data\/db did not start: /;

it.each([
  ['PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device', FULL],
  ['FATAL:  out of memory', NOT_STARTED],
  ['FATAL:  could not open file "base/1/2": Too many open files', NOT_STARTED],
  ['FATAL:  could not open file "base/1/2": No file descriptors available', NOT_STARTED],
  ['PANIC:  could not locate a valid checkpoint record', DAMAGED],
])('the start that ended with %s has an error like %s', (message, expected) => {
  const error = explainStartError('/data/db', ['LOG:  starting', message], new Error('unreachable'));
  expect(error).toMatchObject({ message: expect.stringMatching(expected) as string });
});

it.each([
  [fileError('ENOSPC'), FULL],
  [fileError('EMFILE'), /^EMFILE: it failed$/],
  [fileError('EACCES'), UNWRITABLE],
  [new Error('WebAssembly.Memory(): could not allocate memory'), /^WebAssembly\.Memory/],
])(
  'the start that failed with %s without a message of PostgreSQL has an error like %s',
  (cause, expected) => {
    const error = explainStartError('/data/db', ['LOG:  starting'], cause);
    expect(error).toMatchObject({ message: expect.stringMatching(expected) as string });
  },
);
