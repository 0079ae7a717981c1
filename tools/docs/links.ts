/** Link to a file of the repository. */
export interface Link {
  /** Path relative to the document; empty for a heading of the same document. */
  readonly path: string;
  /** Id of a heading; null without one. */
  readonly fragment: string | null;
}

const CODE = /```.*?```|`[^`\n]*`/gs;

/** Reads the links and pictures of a Markdown document that point into the repository. */
export function readLinks(text: string): readonly Link[] {
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
export function readHeadingIds(text: string): ReadonlySet<string> {
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
