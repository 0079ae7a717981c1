import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, type FailedTest, readCounts, sumCounts } from './counts.ts';
import type { Stage } from './stages.ts';

const hasProcessGroups = process.platform !== 'win32';
/**
 * Time between SIGTERM and SIGKILL for the processes of a stage, in milliseconds. It is shorter than the delay of
 * tools/bootstrap/parent-watchdog.mjs, so that the processes end before this program is killed.
 */
const STOP_TIMEOUT_MS = 5_000;

/** Environment variables that keep tools from starting daemons, sending telemetry and drawing terminal interfaces. */
const TOOL_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
};

const NO_COUNTS = sumCounts([]);

export interface StageResult extends Counts {
  readonly name: string;
  readonly seconds: number;
  readonly output: string;
  /** Failure other than a failed test, such as a timeout; null if there is no such failure. */
  readonly problem: string | null;
}

interface RunOptions {
  /** Root folder of the workspace. */
  readonly root: string;
  /** Existing folder for the counts of the test runners. */
  readonly folder: string;
  /** Stops the running stages when aborted. */
  readonly signal: AbortSignal;
  readonly onStart: (stage: Stage) => void;
  readonly onResult: (result: StageResult) => void;
}

/**
 * Runs sequences of stages in parallel, and the stages of one sequence one after the other. A stage waits for the
 * stages that it needs, also in the other sequence. When a stage fails, only the stages that need it are left out. Each
 * omitted stage counts as one failure.
 */
export async function runSequences(
  sequences: readonly (readonly Stage[])[],
  options: RunOptions,
): Promise<readonly StageResult[]> {
  const ends = new Map(
    sequences.flat().map(({ name }) => [name, Promise.withResolvers<StageResult>()] as const),
  );
  const runSequence = async (sequence: readonly Stage[]): Promise<void> => {
    for (const stage of sequence) {
      const needed = await Promise.all((stage.needs ?? []).flatMap((name) => ends.get(name)?.promise ?? []));
      const failed = needed.find((result) => result.failed > 0);
      const result =
        failed === undefined ? await runStage(stage, options) : leaveOut(stage, `${failed.name} failed`);
      ends.get(stage.name)?.resolve(result);
      options.onResult(result);
    }
  };
  await Promise.all(sequences.map(runSequence));
  return Promise.all([...ends.values()].map(({ promise }) => promise));
}

const leaveOut = ({ name }: Stage, reason: string): StageResult => ({
  ...NO_COUNTS,
  ...{ name, failed: 1, seconds: 0, output: '', problem: `not run: ${reason}` },
});

async function runStage(stage: Stage, options: RunOptions): Promise<StageResult> {
  if (options.signal.aborted) return leaveOut(stage, 'interrupted');
  options.onStart(stage);
  const startedAt = performance.now();
  const folder = join(options.folder, stage.name);
  mkdirSync(folder);
  const { exitCode, hasTimedOut, output } = await execute(stage, folder, options);
  const seconds = (performance.now() - startedAt) / 1000;
  const counts = stage.hasTests === true ? tryToReadCounts(folder) : NO_COUNTS;
  const problem = hasTimedOut
    ? `stopped after ${stage.timeoutSeconds} seconds`
    : findProblem(stage, counts, exitCode);
  const passed = stage.hasTests === true || problem !== null ? counts.passed : 1;
  const failed = counts.failed + (problem === null ? 0 : 1);
  return { ...counts, passed, failed, problem, name: stage.name, seconds, output };
}

/** Reads the counts of a stage. A runner that was killed can leave a truncated file; its tests then count as missing. */
function tryToReadCounts(folder: string): Counts {
  try {
    return sumCounts(readCounts(folder));
  } catch {
    return NO_COUNTS;
  }
}

/** Describes why a stage failed although no test failed; null if a test failed or the stage passed. */
function findProblem({ hasTests }: Stage, counts: Counts, exitCode: number | null): string | null {
  if (hasTests === true && counts.passed + counts.failed + counts.skipped.length === 0)
    return 'no test was executed';
  if (exitCode === 0 || counts.failed > 0) return null;
  return `ended with ${exitCode ?? 'a signal'}`;
}

interface ScriptEnd {
  /** Exit code; null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  readonly output: string;
}

/** Runs the script of a stage until it ends. Then ends all processes that the script has left running. */
function execute(stage: Stage, folder: string, { root, signal }: RunOptions): Promise<ScriptEnd> {
  const { name, script = name, args = [], timeoutSeconds } = stage;
  const child = spawn(process.execPath, ['--run', script, '--', ...args], {
    cwd: root,
    env: {
      ...process.env,
      ...TOOL_ENVIRONMENT,
      // Tests start Node several hundred times, and share the modules that Node has compiled.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      TEST_COUNTS: folder,
    },
    detached: hasProcessGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve } = Promise.withResolvers<ScriptEnd>();
  let output = '';
  let hasTimedOut = false;
  const end = (): void => {
    killGroup(child, 'SIGTERM');
    const timer = setTimeout(() => {
      killGroup(child, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    }, STOP_TIMEOUT_MS);
    child.on('close', () => clearTimeout(timer));
  };
  const timeout = setTimeout(() => {
    hasTimedOut = true;
    end();
  }, timeoutSeconds * 1000);
  signal.addEventListener('abort', end);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.on('error', (error) => (output += error.message));
  // Processes that the script left running hold its output open, and `close` waits for the end of the output.
  child.on('exit', end);
  child.on('close', (exitCode) => {
    clearTimeout(timeout);
    killGroup(child, 'SIGKILL');
    signal.removeEventListener('abort', end);
    resolve({ exitCode, hasTimedOut, output });
  });
  return promise;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(hasProcessGroups ? -pid : pid, signal);
  } catch {
    // The process group has ended already.
  }
}

const INDENT = ' '.repeat(10);
/** Maximum number of failed tests that the summary of a stage names. */
const MAX_FAILURES = 20;

/**
 * Formats the result of one stage: its summary, the skipped tests, and the complete output if the stage failed. The
 * summary precedes the output, because a CI service may cut a long log.
 */
export function formatResult(result: StageResult): string {
  const { failed, skipped, output } = result;
  const skips = skipped.map((test) => `${INDENT}skipped: ${test}`);
  const details = failed > 0 && output.trim() !== '' ? ['', output.trimEnd(), ''] : [];
  return [...summarizeStage(result), ...skips, ...details].join('\n');
}

/**
 * Formats the end of a test run: the summaries of all stages with failed or flaky tests, and as the last line the
 * numbers of passed and failed tests in all stages.
 */
export function formatEnd(results: readonly StageResult[]): string {
  const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0);
  const failedOrFlaky = results.filter(({ failed, flaky }) => failed > 0 || flaky.length > 0);
  const summaries = failedOrFlaky.length > 0 ? ['', ...failedOrFlaky.flatMap(summarizeStage), ''] : [];
  return [...summaries, `${sum('passed')} passed, ${sum('failed')} failed`].join('\n');
}

/** Formats a line with the state, time and counts of a stage, and names its failed and flaky tests below that line. */
function summarizeStage(result: StageResult): readonly string[] {
  const { name, failed, seconds, failures, flaky } = result;
  const state = failed === 0 ? 'passed' : 'FAILED';
  const time = `${seconds.toFixed(1)} s`;
  const line = `${state}  ${name.padEnd(16)}${time.padStart(8)}  ${formatCounts(result)}`.trimEnd();
  const unnamed = failures.length - MAX_FAILURES;
  return [
    line,
    ...failures.slice(0, MAX_FAILURES).flatMap((test) => formatTest('failed', test)),
    ...(unnamed > 0 ? [`${INDENT}… and ${unnamed} more`] : []),
    ...flaky.flatMap((test) => formatTest('flaky', test)),
  ];
}

function formatCounts({ passed, failed, skipped, flaky, problem }: StageResult): string {
  const hasSeveral = passed + failed > 1 || skipped.length > 0;
  const parts = [
    hasSeveral ? `${passed} passed, ${failed} failed` : '',
    flaky.length > 0 ? `${flaky.length} flaky` : '',
    skipped.length > 0 ? `${skipped.length} skipped` : '',
    problem ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const formatTest = (state: 'failed' | 'flaky', { name, error }: FailedTest): readonly string[] => [
  `${INDENT}${state}: ${name}`,
  ...error.split('\n').map((line) => `${INDENT}  ${line}`),
];
