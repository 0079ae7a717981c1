import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** File that exists only after a complete build of the site. */
const BUILD = join(ROOT, 'apps/web/.next/BUILD_ID');
/** Time after which a service that does not stop is killed, in milliseconds. Its exit code is then null. */
const STOP_TIMEOUT_MS = 60_000;
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

export interface RunningService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Returns the output of the service so far. */
  readonly output: () => string;
  /** Resolves when the output contains this text. Rejects on timeout, or if the service exits earlier. */
  waitForOutput(text: string, timeoutMs: number): Promise<void>;
  /** Sends a signal to the service, SIGTERM by default. Returns the exit code of the service. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Creates the environment of a service: the environment of this process, without the variables of Vitest and Playwright,
 * plus `variables`.
 */
export const createServiceVariables = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  // Vitest sets the first two variables. The last two variables would make Node print a warning.
  ...{ BASE_URL: undefined, NODE_ENV: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined },
  // The site is already built. Without this variable, several services would restore the build from the Nx cache at the
  // same time.
  SITE_BUILD: 'skip',
  ...variables,
});

/**
 * Starts the service on a free port with the command that users run. In `live` mode, it uses real directories and
 * endpoints.
 */
export async function startService(
  env: Readonly<Record<string, string>>,
  mode?: 'live',
): Promise<RunningService> {
  if (!existsSync(BUILD)) throw new Error('The site is not built. Run `npm run build`.');
  const port = await findFreePort();
  const entry = ['apps/service/src/main.ts', ...(mode === undefined ? [] : [mode])];
  const child = spawn(process.execPath, entry, {
    cwd: ROOT,
    env: createServiceVariables({ PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A failed test does not stop its service. When the test worker exits, the service is therefore killed.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  void exited.then(() => {
    process.off('exit', kill);
    for (const listener of listeners) listener();
  });
  return {
    url: `http://localhost:${port}`,
    process: child,
    output: () => output,
    waitForOutput: (text, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(`did not print "${text}" within ${timeoutMs} ms`), timeoutMs);
        const check = (): void => {
          if (output.includes(text)) settle(null);
          else if (child.exitCode !== null || child.signalCode !== null) settle('exited');
        };
        const settle = (problem: string | null): void => {
          clearTimeout(timer);
          listeners.delete(check);
          if (problem === null) resolve();
          else reject(new Error(`The service ${problem}:\n${output}`));
        };
        listeners.add(check);
        check();
      }),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const timer = setTimeout(kill, STOP_TIMEOUT_MS);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

/**
 * Finds a free port below the ports that operating systems assign to other sockets (from 32768 on Linux, from 49152
 * elsewhere). A test may use the port minutes later, and until then no other socket gets the port.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
