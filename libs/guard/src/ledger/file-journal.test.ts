import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPayment, createResponse, createStatus, START_MS } from '../testing/payments.ts';
import { createFileJournal } from './file-journal.ts';
import { type Journal, type JournalEntry, readParts } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function createFile(): string {
  files += 1;
  return join(folder, `${files}`, 'payments.jsonl');
}

const FIRST = createPayment('a', 0);
const SECOND = createResponse('a', 1, 200);
const ENTRIES: readonly JournalEntry[] = [
  FIRST,
  SECOND,
  createStatus('a', 2, 'settled'),
  { kind: 'resend', id: 'a', at: new Date(START_MS).toISOString() },
  { kind: 'report', id: 'a', at: new Date(START_MS).toISOString() },
  { kind: 'carried', signedUsd: '1.5', at: new Date(START_MS).toISOString() },
];

async function list(journal: Journal): Promise<readonly JournalEntry[]> {
  return (await journal.read(0)).entries;
}

/** Runs nothing with the lock. The journal repairs the end of its file when the lock is taken. */
async function lockOnce(journal: Journal): Promise<void> {
  await journal.exclusive(() => Promise.resolve());
}

describe('createFileJournal', () => {
  it('returns the entries that were appended, also to another process', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append(ENTRIES);
    expect(await list(journal)).toEqual(ENTRIES);
    expect(await list(createFileJournal(file))).toEqual(ENTRIES);
  });

  it('reads the entries after a position', async () => {
    const journal = createFileJournal(createFile());
    const other: JournalEntry = { kind: 'report', id: 'é\n"', at: SECOND.at };
    await journal.append([FIRST]);
    const { position } = await journal.read(0);
    await journal.append([other]);
    const next = await journal.read(position);
    expect(next.entries).toEqual([other]);
    expect(await journal.read(next.position)).toEqual({ entries: [], position: next.position });
  });

  it('reads a long file in parts of complete lines', async () => {
    const journal = createFileJournal(createFile());
    const [short, long] = [1_000, 5_000_000].map((length) => ({ header: 'é'.repeat(length / 2) }));
    const entries = [
      ...Array.from({ length: 6_000 }, (_, index) => createPayment(`${index}`, 0, short)),
      createPayment('long', 0, long),
      SECOND,
    ];
    await journal.append(entries);
    const lengths: number[] = [];
    const read: JournalEntry[] = [];
    for await (const part of readParts(journal)) {
      lengths.push(JSON.stringify(part.entries).length);
      read.push(...part.entries);
    }
    expect(read).toEqual(entries);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThan(6_000_000);
  });

  it.skipIf(process.platform === 'win32')(
    'creates files and a folder that only the owner can read',
    async () => {
      const file = createFile();
      await createFileJournal(file).append([FIRST]);
      const modes = [file, `${file}.lock`, join(file, '..')].map((path) => statSync(path).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o700]);
    },
  );

  it('removes the beginning of an entry, which a killed process left behind', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append([FIRST]);
    appendFileSync(file, JSON.stringify(createPayment('b', 1)).slice(0, -1));
    expect(await list(journal)).toEqual([FIRST]);
    await journal.append([SECOND]);
    expect(await list(journal)).toEqual([FIRST, SECOND]);
  });

  it('keeps a complete entry without a line break', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append([FIRST]);
    appendFileSync(file, JSON.stringify(createPayment('b', 1)));
    await lockOnce(journal);
    expect(await list(journal)).toEqual([FIRST, createPayment('b', 1)]);
  });

  it('removes the beginning of the first entry', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await lockOnce(journal);
    writeFileSync(file, '{"kind":');
    await journal.append([FIRST]);
    expect(await list(journal)).toEqual([FIRST]);
  });

  it.each([
    ['text', 'not JSON'],
    ['an unknown kind', '{"kind":"future","at":"2026-06-01T12:00:00.000Z"}'],
    ['a payment without an amount', JSON.stringify({ ...FIRST, signedUsd: undefined })],
    ['a payment with an invalid amount', JSON.stringify({ ...FIRST, signedUsd: '-1' })],
    ['a payment without a URL', JSON.stringify({ ...FIRST, resource: 'seller' })],
    ['an entry without a time', JSON.stringify({ ...FIRST, at: 'today' })],
    ['an empty line', ''],
  ])('rejects with the number of a line that is %s', async (_, line) => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append([FIRST]);
    const { position } = await journal.read(0);
    await journal.append([SECOND]);
    appendFileSync(file, `${line}\n`);
    await expect(journal.read(position)).rejects.toThrow(
      `Line 3 of ${file} is not an entry of a journal. It begins with ${JSON.stringify(line.slice(0, 60))}.`,
    );
    await expect(journal.read(0)).rejects.toThrow('Line 3 of');
  });

  it('rejects after the file was shortened or rewritten', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append([FIRST]);
    const { position } = await journal.read(0);
    truncateSync(file, 10);
    await expect(journal.read(position)).rejects.toThrow('was shortened or rewritten');
    writeFileSync(file, 'x'.repeat(position + 10));
    await expect(journal.read(position)).rejects.toThrow('was shortened or rewritten');
  });

  it('rejects all calls after the file was replaced or deleted', async () => {
    const file = createFile();
    const journal = createFileJournal(file);
    await journal.append([FIRST]);
    writeFileSync(`${file}.new`, readFileSync(file));
    renameSync(`${file}.new`, file);
    await expect(journal.read(0)).rejects.toThrow('was replaced by another file');
    await expect(journal.append([SECOND])).rejects.toThrow('was replaced by another file');
    rmSync(file);
    await expect(journal.append([SECOND])).rejects.toThrow('cannot be opened');
    expect(await list(createFileJournal(file))).toEqual([]);
  });

  it('runs tasks of several journals of one file one after another', async () => {
    const file = createFile();
    const link = join(folder, `link-${files}`);
    const first = createFileJournal(file);
    await lockOnce(first);
    symlinkSync(file, link);
    const journals = [first, first, createFileJournal(file), createFileJournal(link)];
    let running = 0;
    const observed: number[] = [];
    const task = async (journal: Journal, index: number) => {
      running += 1;
      observed.push(running);
      await journal.append([createResponse(`${index}`, 0, 200)]);
      running -= 1;
    };
    await Promise.all(journals.map((journal, index) => journal.exclusive(() => task(journal, index))));
    expect(observed).toEqual([1, 1, 1, 1]);
    expect(await list(first)).toHaveLength(4);
  });

  it('completes appends from outside a task before it releases the lock', async () => {
    const journal = createFileJournal(createFile());
    const appends: Promise<void>[] = [];
    await journal.exclusive(() => {
      appends.push(journal.append([FIRST]), journal.append([SECOND]));
      return Promise.resolve();
    });
    expect(await list(journal)).toEqual([FIRST, SECOND]);
    await Promise.all(appends);
  });

  it('releases the lock after an error of the task', async () => {
    const journal = createFileJournal(createFile());
    await expect(journal.exclusive(() => Promise.reject(new Error('Failed.')))).rejects.toThrow('Failed.');
    await journal.append([FIRST]);
    expect(await list(journal)).toEqual([FIRST]);
  });

  it('uses the new lock file after the lock file was deleted', async () => {
    const file = createFile();
    const [first, second] = [createFileJournal(file), createFileJournal(file)];
    await first.append([FIRST]);
    rmSync(`${file}.lock`);
    await second.append([SECOND]);
    const { ino } = statSync(`${file}.lock`);
    await first.append([SECOND]);
    expect(statSync(`${file}.lock`).ino).toBe(ino);
    let isHeld = false;
    await Promise.all(
      [first, second].map((journal) =>
        journal.exclusive(async () => {
          expect(isHeld).toBe(false);
          isHeld = true;
          await journal.append([SECOND]);
          isHeld = false;
        }),
      ),
    );
  });

  it('explains a lock file with other content', async () => {
    const file = createFile();
    await lockOnce(createFileJournal(file));
    writeFileSync(`${file}.lock`, 'x'.repeat(1_024));
    await expect(createFileJournal(file).append([FIRST])).rejects.toThrow('delete this file');
  });
});
