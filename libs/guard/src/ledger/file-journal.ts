import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FileLock } from './file-lock.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { createMutex } from './mutex.ts';
import { parseEntry } from './parse-entry.ts';

export { type Journal, type JournalEntry, readParts } from './journal.ts';

const NEWLINE = 0x0a;
/** Number of bytes that one call reads. A long file is never in memory as a whole. */
const PART_BYTES = 4_194_304;
const { O_APPEND, O_RDONLY, O_RDWR } = constants;

/**
 * Creates a journal in a file with one JSON object per line. The journal needs Node.js 22.13 or newer, and a local file
 * system. All processes of the machine that use the file share its budgets; a process on another machine is not excluded.
 * Nothing is ever removed from the file: to begin again, end all programs and move the file away.
 *
 * @param file path of the file; the file and its folder are created, for their owner only. A file of the same name with
 *   the ending `.lock` is the lock, and must not be deleted.
 */
export function createFileJournal(file: string): Journal {
  const journal = new FileJournal(file);
  return {
    exclusive: (task) => journal.exclusive(task),
    read: (position) => journal.read(position),
    append: (entries) => journal.append(entries),
  };
}

interface OpenJournal {
  /** Path without symbolic links, because each path has a lock of its own. */
  readonly path: string;
  readonly inode: bigint;
  readonly lock: FileLock;
}

class FileJournal implements Journal {
  readonly #file: string;
  readonly #writeAlone = createMutex();
  #opened: Promise<OpenJournal> | null = null;
  #isLocked = false;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = resolve(file);
  }

  async exclusive<T>(task: () => Promise<T>): Promise<T> {
    const { lock } = await this.#open();
    return lock.hold(async () => {
      await this.#use(O_RDWR, repairEnd);
      this.#isLocked = true;
      try {
        return await task();
      } finally {
        // Appends that were called outside the task also rely on the lock.
        for (let write = null; write !== this.#lastWrite; await write) write = this.#lastWrite;
        this.#isLocked = false;
      }
    });
  }

  async read(position: number): ReturnType<Journal['read']> {
    return this.#use(O_RDONLY, async (handle) => {
      const bytes = await readLines(handle, position);
      if (bytes === null) throw new Error(`${this.#file} was shortened or rewritten. ${AFTER_REPLACEMENT}`);
      const lines = bytes.toString('utf8').split('\n').slice(0, -1);
      const entries: JournalEntry[] = [];
      for (const [index, line] of lines.entries()) {
        const entry = parseEntry(line);
        if (entry === null) {
          const before = await countLines(handle, position);
          throw new Error(formatUnreadable(this.#file, before + index + 1, line));
        }
        entries.push(entry);
      }
      return { entries, position: position + bytes.length };
    });
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    if (!this.#isLocked) {
      await this.exclusive(() => this.#write(entries));
      return;
    }
    await this.#write(entries);
  }

  #write(entries: readonly JournalEntry[]): Promise<void> {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const written = this.#writeAlone(() =>
      this.#use(O_RDWR | O_APPEND, (handle) => appendDurably(handle, lines)),
    );
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #use<T>(flags: number, task: (handle: FileHandle) => Promise<T>): Promise<T> {
    const { path, inode } = await this.#open();
    const handle = await open(path, flags).catch((cause: unknown) => {
      throw new Error(`${this.#file} cannot be opened. ${AFTER_REPLACEMENT}`, { cause });
    });
    try {
      const { ino } = await handle.stat({ bigint: true });
      if (ino !== inode) throw new Error(`${this.#file} was replaced by another file. ${AFTER_REPLACEMENT}`);
      return await task(handle);
    } finally {
      await handle.close();
    }
  }

  #open(): Promise<OpenJournal> {
    if (this.#opened === null) {
      this.#opened = openJournal(this.#file);
      this.#opened.catch(() => {
        this.#opened = null;
      });
    }
    return this.#opened;
  }
}

const AFTER_REPLACEMENT =
  'Earlier payments are missing, so no payment is sent. Restore the file, or restart the program to begin with the present file.';

async function openJournal(file: string): Promise<OpenJournal> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  try {
    const { ino: inode } = await handle.stat({ bigint: true });
    const path = await realpath(file);
    await syncFolder(dirname(path));
    return { path, inode, lock: new FileLock(`${path}.lock`) };
  } finally {
    await handle.close();
  }
}

/** Makes the name of a new file durable. Windows cannot open folders, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Appends text so that all of the text is on the disk, or nothing. */
async function appendDurably(handle: FileHandle, text: string): Promise<void> {
  const { size } = await handle.stat();
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } catch (error) {
    // For example, the disk is full.
    await handle.truncate(size);
    throw error;
  }
}

/**
 * Repairs the last line if a process was killed while it wrote the line. Text that is not an entry is removed: a payment
 * is sent after its line is complete, so the payment of this line was not sent.
 */
async function repairEnd(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0 || (await readRange(handle, size - 1, size))[0] === NEWLINE) return;
  const bytes = await readRange(handle, 0, size);
  const start = bytes.lastIndexOf(NEWLINE) + 1;
  if (parseEntry(bytes.toString('utf8', start)) === null) await handle.truncate(start);
  else await handle.write('\n', size);
  await handle.datasync();
}

/**
 * Reads the complete lines after a position, which follows a line break: `PART_BYTES` or one line, if the line is longer.
 * Returns null if there is no line break before the position.
 */
async function readLines(handle: FileHandle, position: number): Promise<Buffer | null> {
  const { size } = await handle.stat();
  if (size < position) return null;
  if (position > 0 && (await readRange(handle, position - 1, position))[0] !== NEWLINE) return null;
  for (let length = PART_BYTES; ; length *= 2) {
    const isLast = position + length >= size;
    const bytes = await readRange(handle, position, isLast ? size : position + length);
    // The last line of the file may still be written.
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0 || isLast) return bytes.subarray(0, end);
  }
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function countLines(handle: FileHandle, end: number): Promise<number> {
  return (await readRange(handle, 0, end)).reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0);
}

function formatUnreadable(file: string, line: number, text: string): string {
  return `Line ${line} of ${file} is not an entry of a journal. It begins with ${JSON.stringify(text.slice(0, 60))}. Earlier payments may be missing, so no payment is sent. Correct or remove the line, and restart the program.`;
}
