import { delimiter, join } from 'node:path';
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
    const exitCode = await ensureInstalled(root, runner, task === 'test');
    if (exitCode !== 0 || runner.signal.aborted) return exitCode;
    return await runTask(runner, [...TASKS[task], ...args]);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

async function runTask({ run }, [entry, ...args]) {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
  const { exitCode } = await run(findNode(root), ['--import', watchdog.href, join(root, entry), ...args], {
    cwd: root,
    env: { ...process.env, PATH: path, TOUCHSTONE_PARENT_WATCHDOG: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return exitCode;
}
