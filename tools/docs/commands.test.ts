import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FILES = ['*.md', 'docs/**/*.md', '{apps,libs,supabase,tools}/**/*.{md,ts,tsx,js,mjs,sql,yml}'];
/** Folders of dependencies and of generated files. */
const EXCLUDED = [
  '**/node_modules/**',
  '**/.next/**',
  '**/.nx/**',
  '**/dist/**',
  'apps/sandbox/contracts/**',
];

/** Command of the CLI with `npx`, without the option that forbids an installation. */
const INSTALLS = /npx touchstone/;

it('commands never install a package with the name touchstone, which is not ours', () => {
  const paths = globSync(FILES, { cwd: root, exclude: EXCLUDED });
  expect(paths).toContain('README.md');
  expect(paths).toContain('libs/embedded/src/open-database.ts');
  const wrong = paths.filter(
    (path) => !path.endsWith('commands.test.ts') && INSTALLS.test(readFileSync(`${root}${path}`, 'utf8')),
  );
  expect(wrong).toEqual([]);
});
