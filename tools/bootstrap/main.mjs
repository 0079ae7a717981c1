import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.mjs';
import { ensureInstalled } from './install.mjs';
import { createRunner } from './runner.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const watchdog = new URL('parent-watchdog.mjs', import.meta.url);
/** Entry file and fixed arguments of each task. */
const TASKS = {
  start: ['apps/service/src/main.ts'],
  live: ['apps/service/src/main.ts', 'live'],
  test: ['tools/test.ts'],
};
/** Delay before the first restart after a crash, in milliseconds. It doubles with each further restart. */
const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 60_000;
/** Time for which the service must run until the delay is the minimum again, in milliseconds. */
const STABLE_AFTER_MS = 300_000;

/**
 * Installs missing dependencies, then runs the entry file of a task with Node 24.
 *
 * @param {readonly string[]} args Task (`start`, `live` or `test`), followed by arguments for its entry file.
 * @returns {Promise<number>} Exit code of the entry file, or of the failure that prevented its start.
 */
export async function main([task, ...args]) {
  if (!Object.hasOwn(TASKS, task ?? '')) {
    console.error('Usage: node tools/bootstrap.mjs start|live|test [arguments]');
    return 2;
  }
  const runner = createRunner();
  try {
    const exitCode = await ensureInstalled(root, runner);
    if (exitCode !== 0 || runner.signal.aborted) return exitCode;
    const runTask = createTask(runner, [...TASKS[task], ...args]);
    return task === 'test' ? (await runTask()).exitCode : await runWithRestarts(runTask, runner.signal);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

function createTask({ run }, [entry, ...args]) {
  const node = findNode(root);
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return () =>
    run(node, ['--import', watchdog.href, join(root, entry), ...args], {
      cwd: root,
      env: { ...process.env, PATH: path, TOUCHSTONE_PARENT_WATCHDOG: '1' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
}

/**
 * Runs the service, and runs it again after a crash. A service that ends before it has started once is not restarted,
 * because its configuration or its installation is wrong and its own message says so.
 */
async function runWithRestarts(runService, signal) {
  let delayMs = MIN_RESTART_DELAY_MS;
  let hasStarted = false;
  for (;;) {
    const startedAt = performance.now();
    const end = await runService();
    hasStarted ||= end.hasStarted;
    if (end.exitCode === 0 || signal.aborted || !hasStarted) return end.exitCode;
    if (performance.now() - startedAt >= STABLE_AFTER_MS) delayMs = MIN_RESTART_DELAY_MS;
    console.log(
      `  service     stopped unexpectedly (${end.reason}); it is restarted in ${delayMs / 1_000} s`,
    );
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return end.exitCode;
    delayMs = Math.min(2 * delayMs, MAX_RESTART_DELAY_MS);
  }
}
