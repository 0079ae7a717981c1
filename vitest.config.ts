import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * One Vitest project per workspace package, named after the folder of the package. The package web-e2e is left out,
 * because Playwright runs its tests.
 */
const packageProjects = ['apps', 'libs'].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => name !== 'web-e2e')
    .map((name) => ({
      test: {
        name,
        root: `${group}/${name}`,
        include: ['src/**/*.test.{ts,tsx}'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      },
    })),
);

export default defineConfig({
  test: {
    // By default, Vitest leaves one core free. Many of our tests wait for sockets and processes, so all cores are used.
    maxWorkers: availableParallelism(),
    // A process per test file spends a third of the run on importing the same modules again. No test file changes state
    // that another one reads: databases, ports and folders belong to one file each.
    isolate: false,
    // Node processes that tests start keep their compiled modules. Without this, most of their CPU time is compilation.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node', import.meta.url)) },
    projects: [
      ...packageProjects.map(({ test }) => ({ extends: true as const, test })),
      {
        extends: true,
        test: {
          name: 'tools',
          root: 'tools',
          include: ['**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
