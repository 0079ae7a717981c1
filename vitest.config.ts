import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Packages without clock, network or state, whose test files have nothing to hide from each other in one process. */
const STATELESS = ['contract', 'trust', 'ui', 'x402'];

/** One Vitest project per workspace package, named as its folder; the browser tests belong to Playwright. */
const projects = ['apps', 'libs'].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => name !== 'web-e2e')
    .map((name) => ({
      test: {
        name,
        root: `${group}/${name}`,
        include: ['src/**/*.test.{ts,tsx}'],
        testTimeout: 30_000,
        hookTimeout: 60_000,
        isolate: !STATELESS.includes(name),
      },
    })),
);

export default defineConfig({
  test: {
    // Vitest's own choice leaves one core to itself, which on two cores is every other one. Much of the time of these
    // tests passes in waiting for sockets and processes, and while it runs nothing else does.
    maxWorkers: availableParallelism(),
    projects: [
      ...projects,
      {
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
