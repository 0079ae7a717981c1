import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from './judge.ts';
import type { Stage } from './stages.ts';

const hasGroups = process.platform !== 'win32';
/** A stage that was asked to end gets this long before it is killed. */
const patienceMs = 10_000;
/** And what it left running this long. */
const leftoverMs = 3_000;

/** No daemon stays behind, nothing is sent home, nothing asks questions. */
const quietTools = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
};

export interface Workplace {
  readonly root: string;
  /** An existing folder for the reports. */
  readonly reports: string;
  /** Ends the stage that is running. */
  readonly signal: AbortSignal;
}

/** Runs a stage's script to its end and takes down what it left running. */
export async function execute(stage: Stage, { root, reports, signal }: Workplace): Promise<Execution> {
  const report = join(reports, `${stage.name}.json`);
  const [script = '', ...args] = stage.command(report);
  const child = spawn(process.execPath, ['--run', script, '--', ...args], {
    cwd: root,
    env: { ...process.env, ...quietTools, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    detached: hasGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = await endOf(child, { signal, timeoutMs: stage.timeoutSeconds * 1000 });
  return { ...ended, report: await readFile(report, 'utf8').catch(() => null) };
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

function endOf(child: ChildProcess, { signal, timeoutMs }: Limits): Promise<Omit<Execution, 'report'>> {
  const { promise, resolve } = Promise.withResolvers<Omit<Execution, 'report'>>();
  let output = '';
  let timedOut = false;
  const end = (): void => {
    endGroup(child, 'SIGTERM');
    setTimeout(() => endGroup(child, 'SIGKILL'), patienceMs).unref();
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
    endLeftovers(child);
  });
  child.on('error', (error) => (output += error.message));
  child.on('close', (exitCode) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resolve({ exitCode, timedOut, output });
  });
  return promise;
}

/** What the script started and forgot holds its streams open, so that "close" would never come. */
function endLeftovers(child: ChildProcess): void {
  endGroup(child, 'SIGTERM');
  const timer = setTimeout(() => {
    endGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, leftoverMs);
  child.on('close', () => {
    clearTimeout(timer);
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(hasGroups ? -child.pid : child.pid, signal);
  } catch {
    // Nobody is left.
  }
}
