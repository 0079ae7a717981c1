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

/**
 * Builds and starts the smallest Next.js application with a paid route of `withX402`. Its latency is the lower bound
 * for the latency of paid routes (the floor).
 */
export async function startPaidFloor(
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<PaidFloor> {
  const options = {
    cwd: FOLDER,
    env: { ...process.env, ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  } as const;
  const build = spawnSync(process.execPath, [NEXT, 'build'], { ...options, encoding: 'utf8' });
  if (build.status !== 0)
    throw new Error(`The baseline application could not be built:\n${build.stdout}${build.stderr}`);
  const child = spawn(process.execPath, [NEXT, 'start', '--port', String(port)], {
    ...options,
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}/paid`;
  const deadline = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url, { method: 'POST' }).catch(() => null);
    if (response?.status === 402) return { url, stop: () => stopProcess(child) };
    if (performance.now() > deadline) throw new Error('The baseline route did not respond with 402 in time');
    await sleep(100);
  }
}
