import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests of the built site over HTTP, against one running service. */
export default defineConfig({
  test: {
    name: 'http',
    root: toPath('.'),
    include: ['http/**/*.test.ts'],
    exclude: ['**/*.slow.test.ts'],
    globalSetup: [toPath('support/shared/shared-service.ts'), toPath('../../tools/test/postgres.ts')],
    reporters: ['default', toPath('../../tools/test/vitest-counts.ts')],
    maxWorkers: 2,
    isolate: false,
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { NODE_COMPILE_CACHE: toPath('../../node_modules/.cache/node') },
  },
});
