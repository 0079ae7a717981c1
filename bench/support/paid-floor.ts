import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopProcess } from './processes.ts';

const FOLDER = fileURLToPath(new URL('../paid-floor', import.meta.url));
const NEXT = createRequire(import.meta.url).resolve('next/dist/bin/next');
const START_MS = 30_000;

export interface PaidFloor {
  readonly url: string;
  stop(): Promise<void>;
}

/** Builds and starts the smallest Next application that sells something through `withX402`. */
export async function startPaidFloor(
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<PaidFloor> {
  const options = {
    cwd: FOLDER,
    env: { ...process.env, ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  } as const;
  const built = spawnSync(process.execPath, [NEXT, 'build'], { ...options, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the floor could not be built:\n${built.stdout}${built.stderr}`);
  const child = spawn(process.execPath, [NEXT, 'start', '--port', String(port)], {
    ...options,
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}/paid`;
  const deadline = performance.now() + START_MS;
  for (;;) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => null);
    if (answer?.status === 402) return { url, stop: () => stopProcess(child) };
    if (performance.now() > deadline) throw new Error('the floor does not ask to be paid');
    await sleep(100);
  }
}
