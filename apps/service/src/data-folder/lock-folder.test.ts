import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './lock-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-lock-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const lock = (): (() => void) => {
  const locked = lockFolder(folder);
  if (typeof locked !== 'function') throw new Error(`the folder is locked by ${locked.heldBy}`);
  return locked;
};

/**
 * Runs a process that locks the folder. If another process has the lock, prints the id of that process. The process
 * runs until a signal.
 */
async function runLocking(): Promise<{
  readonly pid: number;
  readonly output: string;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}> {
  const script = `
    import { lockFolder } from ${JSON.stringify(new URL('lock-folder.ts', import.meta.url).href)};
    const locked = lockFolder(${JSON.stringify(folder)});
    process.stdout.write(typeof locked === 'function' ? 'locked' : 'held by ' + locked.heldBy);
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, output: output.toString('utf8'), end };
}

describe('lockFolder', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'returns the running process that holds the lock, which ends with the process (%s)',
    async (signal) => {
      const { pid, output, end } = await runLocking();
      expect(output).toBe('locked');
      expect(lockFolder(folder)).toEqual({ heldBy: pid });
      await end(signal);
      lock()();
    },
  );

  it('does not lock a folder twice within one process, until the lock is released', () => {
    const release = lock();
    expect(lockFolder(folder)).toEqual({ heldBy: process.pid });
    expect(lockFolder(folder)).toEqual({ heldBy: process.pid });
    release();
    lock()();
  });

  it('says what to do about a file that other code has written', () => {
    writeFileSync(join(folder, 'lock'), '1234 boot/ticks\n'.repeat(100));
    expect(() => lockFolder(folder)).toThrow('then delete this file');
  });

  it('is held by exactly one of several processes that start at the same time', async () => {
    const children = await Promise.all(Array.from({ length: 4 }, runLocking));
    const winner = children.find(({ output }) => output === 'locked');
    expect(winner).toBeDefined();
    // The process with the lock writes its id after it has locked the folder. A process that fails before this write
    // finds no id.
    const expected = [`held by ${winner?.pid ?? 0}`, 'held by null'];
    for (const { output } of children.filter((child) => child !== winner)) expect(expected).toContain(output);
    await Promise.all(children.map(({ end }) => end('SIGKILL')));
  });
});
