import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Starts a TypeScript file as a process of its own, so that its processor time is its own. */
export function startHelper(file: URL, args: readonly string[]): ChildProcess {
  return fork(file, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Sends a helper an order and waits for its one answer. */
export function ask<Answer>(helper: ChildProcess, order: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const left = (): void => reject(new Error('a helper process ended before it answered'));
    helper.once('exit', left);
    helper.once('message', (answer) => {
      helper.off('exit', left);
      // Both ends of the channel are files of this folder, compiled together.
      resolve(answer as Answer);
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

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new TypeError('no port was given');
  return address.port;
}

/** Linux counts processor time in hundredths of a second (USER_HZ), whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** Processor seconds, user and system, that a process has used so far. */
export function cpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // The name in brackets may hold spaces; the fields after it do not. utime and stime are the 14th and 15th of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Peak resident memory of a process in megabytes. */
export function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

/** Milliseconds that a process with one thread has been on a processor, to the nanosecond. */
export function onCpuMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
