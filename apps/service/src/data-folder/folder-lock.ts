import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

/** Process that holds the lock of a data folder. */
interface Owner {
  readonly pid: number;
  /** Start of the process in the format of {@link readStartTime}; empty if the platform does not tell it. */
  readonly startTime: string;
}

/** Age up to which a lock file without a process id is still being written, in milliseconds. */
const MAX_WRITE_MS = 5_000;

/**
 * Creates a lock file with the id and the start time of this process. A lock file of a process that has ended is
 * replaced, even if another process has its id now.
 *
 * @returns a function that removes the lock file, or the id of the process that holds the lock (null: it is just being
 * opened)
 * @throws Error of the file system when the file cannot be written
 */
export function lockFolder(file: string): (() => void) | { readonly heldBy: number | null } {
  const own = formatOwner({ pid: process.pid, startTime: readStartTime(process.pid) ?? '' });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
      return () => {
        if (readIfPresent(file) === own) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const text = readIfPresent(file);
    if (text === null) continue;
    const owner = parseOwner(text);
    if (owner === null ? isBeingWritten(file) : isRunning(owner)) return { heldBy: owner?.pid ?? null };
    if (!removeUnchanged(file, text)) return { heldBy: null };
  }
  return { heldBy: null };
}

/**
 * Removes a lock file if it still has the given content. Two services that start at the same time may both find the file
 * of a process that has ended. The slower one then finds the new file of the other, and puts it back.
 */
function removeUnchanged(file: string, text: string): boolean {
  const moved = `${file}-${randomUUID()}`;
  try {
    renameSync(file, moved);
  } catch {
    return true;
  }
  const isUnchanged = readIfPresent(moved) === text;
  if (isUnchanged) rmSync(moved, { force: true });
  else renameSync(moved, file);
  return isUnchanged;
}

function isBeingWritten(file: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(file).mtimeMs) < MAX_WRITE_MS;
  } catch {
    return false;
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function formatOwner({ pid, startTime }: Owner): string {
  return `${pid} ${startTime}\n`;
}

/** Parses a lock file. Returns null for a text without a process id. */
function parseOwner(text: string): Owner | null {
  const [, id, startTime = ''] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  const pid = Number(id);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, startTime } : null;
}

/** Returns true if the process runs. A process with another start time is a later one that got the same id. */
function isRunning({ pid, startTime }: Owner): boolean {
  if (!isPidInUse(pid)) return false;
  if (startTime === '') return pid !== process.pid;
  const current = readStartTime(pid);
  return current === null || current === startTime;
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Position of `starttime` in `/proc/PID/stat`, counted from the field after the name of the process. */
const STARTTIME_FIELD = 19;

/**
 * Returns the start time of a process, in a format that only this function reads. On Linux, it is the id of the boot with
 * the clock ticks since then, which a change of the system clock does not affect. On other Unix systems, it is the time
 * that `ps` prints. Returns null on Windows, where reading it takes seconds: there, a process id that is in use always
 * counts as the holder of the lock. Also returns null if the process has ended.
 */
export function readStartTime(pid: number): string | null {
  try {
    if (process.platform === 'win32') return null;
    if (process.platform !== 'linux') {
      const args = ['-o', 'lstart=', '-p', String(pid)];
      return execFileSync('ps', args, {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      }).trim();
    }
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and can contain spaces and parentheses.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTTIME_FIELD];
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}
