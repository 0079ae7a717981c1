import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from './evaluate.ts';
import type { Stage } from './stages.ts';

const hasProcessGroups = process.platform !== 'win32';
/** Time between SIGTERM and SIGKILL for a stage that is stopped, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;
/** Time between SIGTERM and SIGKILL for child processes that still run after their stage has ended, in milliseconds. */
const LEFTOVER_TIMEOUT_MS = 3_000;

/** Environment variables that keep tools from starting daemons, sending telemetry and drawing terminal interfaces. */
const TOOL_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
};

export interface ExecutionOptions {
  /** Root folder of the workspace. */
  readonly root: string;
  /** Existing folder to which test runners write their reports. */
  readonly reports: string;
  /** Stops the running stage when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Runs the npm script of a stage until it ends. Then ends all processes that the script has left running.
 *
 * @param files test files to run; all files of the stage if empty
 */
export async function execute(
  stage: Stage,
  { root, reports, signal }: ExecutionOptions,
  files: readonly string[] = [],
): Promise<Execution> {
  const report = join(reports, `${stage.name}${files.length > 0 ? '-rerun' : ''}.json`);
  const [script = '', ...stageArgs] = stage.command(report);
  const args = [...stageArgs, ...files];
  const child = spawn(process.execPath, ['--run', script, '--', ...args], {
    cwd: root,
    env: {
      ...process.env,
      ...TOOL_ENVIRONMENT,
      // Tests start Node several hundred times. With compiled modules, a start takes a quarter less CPU time.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
    detached: hasProcessGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = await waitForEnd(child, { signal, timeoutMs: stage.timeoutSeconds * 1000 });
  return { ...ended, report: await readFile(report, 'utf8').catch(() => null) };
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

type Ended = Pick<Execution, 'exitCode' | 'timedOut' | 'output'>;

function waitForEnd(child: ChildProcess, { signal, timeoutMs }: Limits): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  let output = '';
  let timedOut = false;
  const end = (): void => {
    killGroup(child, 'SIGTERM');
    setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS).unref();
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.on('exit', () => {
    killLeftovers(child);
  });
  child.on('error', (error) => (output += error.message));
  child.on('close', (exitCode) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resolve({ exitCode, timedOut, output });
  });
  return promise;
}

/**
 * Ends the processes that a script has left running. They hold its output streams open, so the `close` event would wait
 * for them.
 */
function killLeftovers(child: ChildProcess): void {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => {
    killGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, LEFTOVER_TIMEOUT_MS);
  child.on('close', () => {
    clearTimeout(timer);
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(hasProcessGroups ? -child.pid : child.pid, signal);
  } catch {
    // The process group has ended already.
  }
}
