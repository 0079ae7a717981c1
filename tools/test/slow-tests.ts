import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Code that every slow test over HTTP covers. */
const SITE = ['apps/web-e2e/support/service.ts', 'apps/web/src/serving', 'libs/embedded/src'];

/**
 * Files that each slow test covers, as Git path specifications, by the path of the test without `.slow.test.ts`. A slow
 * test also covers its own file.
 */
export const COVERED_PATHS: Readonly<Record<string, readonly string[]>> = {
  'apps/cli/src/guard/serve/buyer-examples': ['apps/cli/src/guard/serve', 'docs/guard.md'],
  'apps/cli/src/packed-tests/packed-packages': [
    ...['apps/cli', 'docs/guard.md', 'package-lock.json', 'tools/pack', 'libs/common', 'libs/contract'],
    ...['libs/guard', 'libs/mcp', 'libs/probe', 'libs/trust', 'libs/x402'],
  ],
  'apps/sandbox/src/chain/compile-contracts': ['apps/sandbox/contracts', 'apps/sandbox/src/chain'],
  'apps/sandbox/src/chain/open-chain': ['apps/sandbox/src/chain'],
  'apps/sandbox/src/payments/history': ['apps/sandbox/src'],
  'apps/sandbox/src/payments/restart': ['apps/sandbox/src'],
  'apps/service/src/backup/backup': [
    ...['apps/service/src/backup', 'apps/service/src/data-folder', 'libs/embedded'],
  ],
  'apps/service/src/sandbox/sandbox-chains': [
    ...['apps/sandbox/src', 'apps/service/src/sandbox', 'libs/chain/src', 'libs/pipeline/src/settlement'],
    ...['libs/store/src/settlements', 'supabase/migrations'],
  ],
  'apps/service/src/sandbox/start-sandbox': [
    ...['apps/sandbox/src', 'apps/service/src/processes', 'apps/service/src/sandbox'],
  ],
  'apps/web-e2e/http/attacks': [
    ...SITE,
    'apps/web-e2e/support/attacks',
    'apps/web/src/api',
    'apps/web/src/serving/known-pages',
    'libs/payment/src',
  ],
  'apps/web-e2e/http/lifecycle': [...SITE, 'apps/sandbox/src', 'apps/service/src'],
  'apps/web-e2e/http/live': [
    ...[...SITE, 'apps/service/src/live', 'libs/catalog/src', 'libs/pipeline/src/discovery'],
    ...['libs/pipeline/src/probing', 'libs/probe/src'],
  ],
  'apps/web-e2e/http/memory': [
    ...SITE,
    'apps/service/src/site',
    'apps/web/next.config.ts',
    'apps/web/src/proxy.ts',
  ],
  'apps/web-e2e/http/restarts': [...SITE, 'apps/sandbox/src', 'apps/service/src/processes'],
  'apps/web-e2e/http/site-instances': [
    ...SITE,
    'apps/web-e2e/support/site-instances.ts',
    'apps/web/src/serving/page-cache',
  ],
  'libs/embedded/src/durability': ['libs/embedded'],
  'libs/payment/src/fulfilment/kill': [
    ...['libs/chain/src', 'libs/payment/src', 'libs/store/src/payments', 'supabase/migrations'],
  ],
  'libs/payment/src/fulfilment/ledger': [
    ...['libs/chain/src', 'libs/payment/src', 'libs/store/src/payments', 'supabase/migrations'],
  ],
  'libs/pipeline/src/purchases/kill': [
    ...['libs/chain/src', 'libs/delivery/src', 'libs/pipeline/src/purchases', 'libs/store/src/purchases'],
    'supabase/migrations',
  ],
  'libs/pipeline/src/probing/workers': [
    ...['libs/pipeline/src', 'libs/store/src/probing', 'libs/store/src/scoring', 'supabase/migrations'],
  ],
  'libs/store/src/postgres/crash': ['libs/store/src/probing', 'supabase/migrations'],
  'tools/bootstrap/bootstrap': ['tools/bootstrap', 'tools/bootstrap.mjs'],
  'tools/test/inngest/inngest': [
    ...['apps/web/src/app/api/inngest', 'apps/web/src/jobs', 'libs/pipeline/src', 'libs/store/src/probing'],
    'tools/test/inngest',
  ],
};

/** Lists all slow tests, as paths relative to the root. */
export const listAllSlowTests = (): readonly string[] =>
  globSync('{apps,libs,tools}/**/*.slow.test.ts', {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  }).map((path) => path.replaceAll('\\', '/'));

/**
 * Lists the slow tests of this run. With `SLOW=1`, these are all slow tests. With `SLOW=changed`, which `.ci/run` sets,
 * these are the slow tests that cover a changed file. A changed file differs from the commit in
 * `tools/test/slow-passed.txt`, at which all slow tests passed. Otherwise the list is empty.
 *
 * @returns Paths relative to the root.
 */
export function listSlowTests(): readonly string[] {
  const mode = process.env['SLOW'];
  if (mode === '1') return listAllSlowTests();
  if (mode !== 'changed') return [];
  const commit = readFileSync(join(import.meta.dirname, 'slow-passed.txt'), 'utf8').trim();
  return listAllSlowTests().filter(
    (test) => hasChanged(commit, [test]) || hasChanged(commit, listCovered(test)),
  );
}

/** Returns the path specifications of the code that a slow test covers: all code for a test without an entry. */
const listCovered = (test: string): readonly string[] => [
  ...(COVERED_PATHS[test.replace('.slow.test.ts', '')] ?? ['.']),
  ':(exclude,glob)**/*.test.*',
];

/** Returns true if a file that these specifications select differs from the commit, or if the commit is unknown. */
const hasChanged = (commit: string, specifications: readonly string[]): boolean =>
  spawnSync('git', ['diff', '--quiet', commit, '--', ...specifications], { cwd: ROOT }).status !== 0;
