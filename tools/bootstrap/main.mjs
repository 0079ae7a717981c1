import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.mjs';
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The program of each task, and what it gets before the arguments of the command. */
const entries = {
  start: ['apps/service/src/main.ts'],
  live: ['apps/service/src/main.ts', 'live'],
  test: ['tools/test.ts'],
};

/**
 * Installs what is missing, then runs the task's real entry with Node 24.
 *
 * @param {readonly string[]} args The task (`start`, `live` or `test`) and the entry's own arguments.
 * @returns {Promise<number>} The exit code: the entry's own, or why it did not come to that.
 */
export async function main([task, ...args]) {
  try {
    if (!Object.hasOwn(entries, task ?? ''))
      throw new Stop('Usage: node tools/bootstrap.mjs start|live|test [arguments]', 2);
    await ensureInstalled(root);
    const [entry, ...first] = entries[task];
    return await run({
      node: findNode(root),
      entry: join(root, entry),
      args: [...first, ...args],
      cwd: root,
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (error.message !== '') console.error(error.message);
    return error.exitCode;
  }
}
