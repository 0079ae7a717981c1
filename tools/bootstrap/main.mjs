import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.mjs';
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';
import { BootstrapError } from './bootstrap-error.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Command line of each task: its entry file and fixed arguments. */
const entries = {
  start: ['apps/service/src/main.ts'],
  live: ['apps/service/src/main.ts', 'live'],
  test: ['tools/test.ts'],
};

/**
 * Installs missing dependencies, then runs the entry file of the task with Node 24.
 *
 * @param {readonly string[]} args Task (`start`, `live` or `test`), followed by arguments for its entry file.
 * @returns {Promise<number>} Exit code of the entry file, or of the error that prevented its start.
 */
export async function main([task, ...args]) {
  try {
    if (!Object.hasOwn(entries, task ?? ''))
      throw new BootstrapError('Usage: node tools/bootstrap.mjs start|live|test [arguments]', 2);
    await ensureInstalled(root);
    const [entry, ...first] = entries[task];
    return await run({
      node: findNode(root),
      entry: join(root, entry),
      args: [...first, ...args],
      cwd: root,
      restarts: task !== 'test',
    });
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    if (error.message !== '') console.error(error.message);
    return error.exitCode;
  }
}
