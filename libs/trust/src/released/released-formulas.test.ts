import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { SCORING_VERSIONS } from '../versions.ts';

/**
 * SHA-256 of the files of each released formula, without its tests. A hash never changes: reports of the version must
 * stay recomputable. A correction goes into a new version.
 */
const HASHES: Readonly<Record<string, string>> = {
  '1.0.0': 'c64f1a6f3bcb15686297c7d4c36ff5ec09803b9c22f4b0cc70158705058d12a8',
};

/** Computes the SHA-256 over the path and the content of each file of a folder, in the order of the paths. */
function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

test.each(Object.entries(HASHES))(
  'the formula %s is unchanged; add a new version instead of editing it',
  (version, hash) => {
    expect(
      hashFolder(join(import.meta.dirname, version)),
      `A released formula must not change. Undo the change in released/${version}, and correct the current formula.`,
    ).toBe(hash);
  },
);

it('has a folder and a hash for each earlier version', () => {
  const earlier: readonly string[] = SCORING_VERSIONS.map(({ version }) => version).slice(1);
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(Object.keys(HASHES).toSorted());
  expect(folders).toEqual(expect.arrayContaining([...earlier]));
});
