import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readHeadingIds, readLinks } from './links.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'));

describe('the documentation', () => {
  it('links only existing files and headings', () => {
    const links = documents.flatMap((document) =>
      readLinks(readFileSync(join(root, document), 'utf8')).map((link) => ({ document, link })),
    );
    expect(links.length).toBeGreaterThanOrEqual(200);
    const broken = links.filter(({ document, link: { path, fragment } }) => {
      const file = path === '' ? join(root, document) : join(root, dirname(document), path);
      if (!existsSync(file)) return true;
      return fragment !== null && !readHeadingIds(readFileSync(file, 'utf8')).has(fragment);
    });
    expect(broken).toEqual([]);
  });

  it('names a test for each threat in docs/security.md, except for one setting of npm', () => {
    const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| [A-Z]/.test(line));
    expect(rows.length).toBeGreaterThanOrEqual(30);
    const untested = rows.filter((row) => !/\.(?:test|spec)\.tsx?\)/.test(row));
    expect(untested.map((row) => row.split('|')[1]?.trim())).toEqual([
      'A package runs code while it is installed',
    ]);
  });
});
