import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findDatabaseTests } from './find-database-tests.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-database-tests-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

it('finds tests that start a database, directly or through a helper', () => {
  write('src/direct.test.ts', "import { startMigrated } from '@touchstone/embedded/testing';");
  write('src/deep/through-helper.test.ts', "import {\n  openWorld,\n} from '../testing/world.ts';");
  write('src/deep/later.test.ts', "const world = await import('../testing/world.ts');");
  write('src/testing/world.ts', "import './fixtures.ts';");
  write('src/testing/fixtures.ts', "export * from '@touchstone/embedded/testing';\nimport './world.ts';");
  expect([...findDatabaseTests('src/**/*.test.ts', root)].sort()).toEqual([
    'src/deep/later.test.ts',
    'src/deep/through-helper.test.ts',
    'src/direct.test.ts',
  ]);
});

it('leaves out tests without a database', () => {
  write(
    'src/pure.test.ts',
    "import { add } from './add.ts';\nimport { createKeys } from '@touchstone/embedded';",
  );
  write('src/add.ts', "import type { Row } from '@touchstone/store';");
  expect(findDatabaseTests('src/**/*.test.ts', root)).toEqual([]);
});
