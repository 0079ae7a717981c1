import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Files that each slow test covers, as Git path specifications, by the path of the test without `.slow.test.ts`. A slow
 * test also covers its own file.
 */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  'apps/cli/src/packed/packed-packages': ['apps/cli', 'docs/guard.md', 'libs/guard', 'tools/pack'],
  'apps/sandbox/src/chain/compile-contracts': ['apps/sandbox/contracts', 'apps/sandbox/src/chain'],
  'apps/sandbox/src/chain/open-chain': ['apps/sandbox/src/chain'],
  'apps/sandbox/src/payments/history': ['apps/sandbox/src/chain', 'apps/sandbox/src/payments'],
  'apps/sandbox/src/payments/restart': ['apps/sandbox/src/chain', 'apps/sandbox/src/payments'],
  'apps/service/src/backup/backup': ['apps/service/src/backup', 'libs/embedded/src/backup'],
  'apps/service/src/sandbox/sandbox-chains': ['apps/service/src/sandbox', 'libs/chain/src'],
  'apps/service/src/sandbox/start-sandbox': ['apps/service/src/processes', 'apps/service/src/sandbox'],
  'apps/web-e2e/http/attacks': ['apps/web/src/api', 'apps/web/src/known-pages', 'apps/web/src/server'],
  'apps/web-e2e/http/lifecycle': ['apps/service/src', 'libs/embedded/src'],
  'apps/web-e2e/http/live': ['apps/service/src/live'],
  'apps/web-e2e/http/restarts': ['apps/service/src/processes', 'libs/embedded/src'],
  'apps/web-e2e/http/site-instances': ['apps/web/src/page-cache', 'apps/web/src/server'],
  'libs/embedded/src/files/durability': ['libs/embedded/src'],
  'libs/payment/src/fulfilment/kill': ['libs/payment/src'],
  'libs/payment/src/fulfilment/ledger': ['libs/payment/src'],
  'libs/pipeline/src/probing/workers': ['libs/pipeline/src/probing', 'libs/store/src/probing'],
  'libs/store/src/postgres/crash': ['libs/store/src/probing', 'supabase/migrations'],
  'tools/bootstrap/bootstrap': ['tools/bootstrap', 'tools/bootstrap.mjs'],
  'tools/test/inngest/inngest': [
    'apps/web/app/api/inngest',
    'apps/web/src/jobs',
    'libs/pipeline/src/inngest',
  ],
};

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
  return mode === '1'
    ? tests
    : tests.filter((test) => hasChanged(passed, [test]) || hasChanged(passed, listCovered(test)));
}

/** Returns the path specifications of the code that a slow test covers: all code for a test without an entry. */
const listCovered = (test: string): readonly string[] => [
  ...(COVERED[test.replace('.slow.test.ts', '')] ?? ['.']),
  ':(exclude,glob)**/*.test.*',
];

/** Returns true if a file that these specifications select differs from the commit, or if the commit is unknown. */
const hasChanged = (commit: string, specifications: readonly string[]): boolean =>
  spawnSync('git', ['diff', '--quiet', commit, '--', ...specifications], { cwd: ROOT }).status !== 0;
