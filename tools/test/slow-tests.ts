import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Code that the slow tests of each folder cover, as Git path specifications. A slow test also covers its own folder. */
const COVERED: Readonly<Record<string, readonly string[]>> = {};

/**
 * Lists the slow tests of this run. With `SLOW=1`, these are all slow tests. With `SLOW=changed`, which `.ci/run` sets, these
 * are the tests that cover a file which has changed since the commit in `tools/test/slow-passed.txt`, at which all slow tests
 * passed. Otherwise the list is empty.
 *
 * @returns Paths relative to the root.
 */
export function listSlowTests(): readonly string[] {
  const mode = process.env['SLOW'];
  if (mode !== '1' && mode !== 'changed') return [];
  const tests = globSync('{apps,libs,tools}/**/*.slow.test.ts', {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  });
  const passed = readFileSync(join(import.meta.dirname, 'slow-passed.txt'), 'utf8').trim();
  return mode === '1' ? tests : tests.filter((test) => hasChanged(passed, COVERED[test] ?? ['.']));
}

/** Returns true if a file that these specifications select differs from the commit, or if the commit is unknown. */
const hasChanged = (commit: string, specifications: readonly string[]): boolean =>
  spawnSync('git', ['diff', '--quiet', commit, '--', ...specifications], { cwd: ROOT }).status !== 0;
