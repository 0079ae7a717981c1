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

/**
 * Files outside the folders from which released formulas compute or compare figures, each with its SHA-256. A hash never
 * changes.
 */
const HELPER_HASHES: Readonly<Record<string, string>> = {
  'numbers/rounding.ts': 'ea8d6eb3d835be2f329bd666a715d397ce9d88ecc29a3145e856911c9416605e',
  'numbers/usd.ts': 'c46db34749c79d810984dcffa29c94acf34a2202a2b6996af055021bee6f4135',
  'numbers/wilson.ts': '6ba2353001e0419cc6a88badbbd8b08a7da0c8a52cfd189df1a9f27ccee6ed14',
  'recompute/differences.ts': '5d36c0167150441050c371c72b2b9c461df75c9053cd2f3cf914de72ea801a07',
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

test.each(Object.entries(HELPER_HASHES))('%s, which released formulas use, is unchanged', (file, hash) => {
  expect(
    createHash('sha256')
      .update(readFileSync(join(import.meta.dirname, '..', file)))
      .digest('hex'),
    `Released formulas use ${file}. Before it may change, copy it into the folder of each released formula that uses it, import the copies there, correct the hashes of these folders once, and remove the file from this list.`,
  ).toBe(hash);
});

it('lists every file outside its folder that a released formula imports, except those that only types come from', () => {
  const folder = join(import.meta.dirname, '1.0.0');
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^import (?!type )[^;]*?'\.\.\/\.\.\/([^']+)'/gm),
    ])
    .map(([, file]) => file);
  expect([...new Set(imported)].toSorted()).toEqual(Object.keys(HELPER_HASHES).toSorted());
});

it('has a folder and a hash for each earlier version', () => {
  const earlier: readonly string[] = SCORING_VERSIONS.map(({ version }) => version).slice(1);
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(Object.keys(HASHES).toSorted());
  expect(folders).toEqual(expect.arrayContaining([...earlier]));
});
