import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const TIMEOUTS_MS = { testTimeout: 60_000, hookTimeout: 120_000 };
/** Servers that the tests of a run share. The first project that needs them starts them. */
const SHARED_SERVERS = ['./tools/test/postgres.ts', './tools/test/sandboxes.ts'].map(toPath);
/** Packages whose tests use a database or a chain. `embedded` always runs on its own database. */
const WITH_SERVERS = new Set(['store', 'payment', 'pipeline', 'service', 'web', 'cli', 'sandbox']);

/**
 * One Vitest project per workspace package, named after the folder of the package. The tests of web-e2e need the built
 * site, so they have a configuration of their own.
 */
const packageProjects = ['apps', 'libs'].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => name !== 'web-e2e')
    .map((name) => ({
      name,
      root: `${group}/${name}`,
      include: ['src/**/*.test.{ts,tsx}'],
      ...(WITH_SERVERS.has(name) ? { globalSetup: SHARED_SERVERS } : {}),
    })),
);

/** Tests that run when the code that they cover has changed, and before a release (tools/test/slow-tests.ts). */
const slow = {
  name: 'slow',
  include: ['{apps,libs,tools}/**/*.slow.test.ts'],
  exclude: ['**/node_modules/**'],
  globalSetup: SHARED_SERVERS,
  testTimeout: 240_000,
  hookTimeout: 240_000,
};

export default defineConfig({
  test: {
    // By default, Vitest leaves one core free. Many of our tests wait for sockets and processes, so all cores are used.
    maxWorkers: availableParallelism(),
    // With a separate process for each test file, a third of the run would be spent on importing the same modules
    // again. No test file changes state that another test file reads: each file has its own databases, ports and
    // folders.
    isolate: false,
    setupFiles: [toPath('./tools/test/file.setup.ts')],
    // `npm test` reads the counts that the second reporter writes.
    reporters: ['default', toPath('./tools/test/vitest-counts.ts')],
    // A test that passes only on its second attempt is named as flaky at the end of `npm test`.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Node processes that tests start keep their compiled modules. Without this cache, they would spend most of their
    // CPU time on compilation.
    env: { NODE_COMPILE_CACHE: toPath('./node_modules/.cache/node') },
    projects: [
      ...packageProjects.map((project) => ({
        extends: true as const,
        test: { ...TIMEOUTS_MS, ...project, exclude: ['**/*.slow.test.ts'] },
      })),
      {
        extends: true,
        test: {
          ...TIMEOUTS_MS,
          name: 'tools',
          root: 'tools',
          include: ['**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
        },
      },
      { extends: true, test: slow },
    ],
  },
});
