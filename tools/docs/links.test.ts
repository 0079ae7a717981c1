import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
    const [threats = ''] = readFileSync(join(root, 'docs/security.md'), 'utf8').split(
      '## What is not covered',
    );
    const entries = threats.split(/^- \*\*/m).slice(1);
    expect(entries.length).toBeGreaterThanOrEqual(30);
    const untested = entries.filter((entry) => !/\.(?:test|spec)\.tsx?\)/.test(entry));
    expect(untested.map((entry) => entry.split('.**')[0])).toEqual([
      'A package runs code while it is installed',
    ]);
  });
});

/** Link to a file of the repository. */
interface Link {
  /** Path relative to the document; empty for a heading of the same document. */
  readonly path: string;
  /** Id of a heading; null if the link names no heading. */
  readonly fragment: string | null;
}

const CODE = /```.*?```|`[^`\n]*`/gs;

/** Reads the links and pictures of a Markdown document that point into the repository. */
function readLinks(text: string): readonly Link[] {
  const targets = [...text.replaceAll(CODE, '').matchAll(/\]\(([^()\s]+)\)/g)].map(
    ([, target = '']) => target,
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', fragment = null] = target.split('#');
      return { path, fragment };
    });
}

/** Reads the ids that GitHub gives to the headings of a document. */
function readHeadingIds(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/```.*?```/gs, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
