import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder, readStartTime } from './folder-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-lock-'));
  file = join(folder, 'lock');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const lock = (): (() => void) => {
  const locked = lockFolder(file);
  if (typeof locked !== 'function') throw new Error(`the folder is locked by ${locked.heldBy}`);
  return locked;
};

/** Runs a process that locks the folder, or prints who holds the lock. The process ends when its input ends. */
async function runLocking(): Promise<{
  readonly pid: number;
  readonly output: string;
  end: () => Promise<void>;
}> {
  const script = `
    import { lockFolder } from ${JSON.stringify(new URL('folder-lock.ts', import.meta.url).href)};
    const locked = lockFolder(${JSON.stringify(file)});
    process.stdout.write(typeof locked === 'function' ? 'locked' : 'held by ' + locked.heldBy);
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const end = async (): Promise<void> => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, output: output.toString('utf8'), end };
}

describe('lockFolder', () => {
  it('stores the process id and the start time, and removes the file at the end', () => {
    const release = lock();
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid} ${readStartTime(process.pid) ?? ''}\n`);
    release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('returns the running process that holds the lock', async () => {
    const { pid, output, end } = await runLocking();
    expect(output).toBe('locked');
    expect(lockFolder(file)).toEqual({ heldBy: pid });
    await end();
    lock()();
  });

  it.skipIf(process.platform === 'win32')('replaces the lock of an ended process whose id was reused', () => {
    const [boot = ''] = (readStartTime(process.ppid) ?? '').split('/');
    for (const start of [`${boot}/1`, 'other-boot/1']) {
      writeFileSync(file, `${process.ppid} ${start}\n`);
      lock()();
    }
    // A restarted container often gives the service the same id again.
    writeFileSync(file, `${process.pid} ${boot}/1\n`);
    lock()();
  });

  it('does not lock a folder twice within one process', () => {
    const release = lock();
    expect(lockFolder(file)).toEqual({ heldBy: process.pid });
    release();
  });

  it('accepts a lock file without a start time, which Windows does not report', () => {
    writeFileSync(file, `${process.ppid} \n`);
    expect(lockFolder(file)).toEqual({ heldBy: process.ppid });
    writeFileSync(file, '999999999 \n');
    lock()();
  });

  it('waits for a file that is being written, and replaces an old damaged one', () => {
    writeFileSync(file, '');
    expect(lockFolder(file)).toEqual({ heldBy: null });
    utimesSync(file, new Date(0), new Date(0));
    lock()();
  });

  it('is held by exactly one of several processes that find the lock of an ended one', async () => {
    writeFileSync(file, '999999999 old\n');
    const children = await Promise.all(Array.from({ length: 4 }, runLocking));
    const winner = children.find(({ output }) => output === 'locked');
    expect(children.filter(({ output }) => output === 'locked')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${winner?.pid ?? 0} `));
    await Promise.all(children.map(({ end }) => end()));
  });

  it('keeps the lock file of another process at its end', () => {
    const release = lock();
    writeFileSync(file, '1 other\n');
    release();
    expect(existsSync(file)).toBe(true);
  });
});
