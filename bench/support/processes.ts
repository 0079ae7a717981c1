import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Starts a TypeScript file as a child process, so that its CPU time can be measured separately.
 *
 * @param env environment variables in addition to those of this process
 */
export function startHelper(file: URL, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return fork(file, [...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
}

/** Sends a message to a child process and waits for its reply. */
export function sendOrder<Reply>(helper: ChildProcess, order: object): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const rejectOnExit = (): void => reject(new Error('a helper process ended before it replied'));
    helper.once('exit', rejectOnExit);
    helper.once('message', (reply) => {
      helper.off('exit', rejectOnExit);
      // The cast is safe, because sender and receiver are files of this folder that share their types.
      resolve(reply as Reply);
    });
    helper.send(order);
  });
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Number of clock ticks per second in `/proc`. Linux always reports CPU time in hundredths of a second (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Returns the total CPU time that a process has used, in seconds. */
export function readCpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // The second field, the process name in brackets, may contain spaces, so the fields after it are split. The CPU times
  // utime and stime are fields 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process, in megabytes: its peak (`VmHWM`) or its current value (`VmRSS`). */
export function readMegabytes(pid: number | undefined, field: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
}

/** Returns the CPU time of a single-threaded process, in milliseconds. The kernel measures it in nanoseconds. */
export function readOnCpuMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
