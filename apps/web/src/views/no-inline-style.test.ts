import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Root of the repository. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));

it('no component has a style attribute or a script text, because the content security policy forbids both', () => {
  // The pictures are drawn on the server, by a library that reads style attributes.
  const files = globSync('{apps/web,libs/ui}/src/**/*.tsx', { cwd: root }).filter(
    (file) => !/\.test\.tsx$|[\\/]pictures[\\/]/.test(file),
  );
  expect(files.length).toBeGreaterThan(80);
  const found = files.filter((file) => /\sstyle=|\bon[a-z]+="/.test(readFileSync(root + file, 'utf8')));
  expect(found).toEqual([]);
});
