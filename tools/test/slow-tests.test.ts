import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COVERED_PATHS, listAllSlowTests } from './slow-tests.ts';

const ROOT = join(import.meta.dirname, '../..');

it('names the code that each slow test covers, and only existing files', () => {
  const tests = listAllSlowTests().map((path) => path.replace('.slow.test.ts', ''));
  expect(Object.keys(COVERED_PATHS).toSorted()).toEqual(tests.toSorted());
  // Git selects nothing, without an error, for a path that does not exist.
  expect(
    Object.values(COVERED_PATHS)
      .flat()
      .filter((path) => !existsSync(join(ROOT, path))),
  ).toEqual([]);
});
