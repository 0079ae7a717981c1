import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const SETTINGS = new URL('../../.oxfmtrc.json', import.meta.url);

/** Formats a Markdown document with the settings of `npm run format`. */
export async function formatMarkdown(text: string): Promise<string> {
  // The cast is safe, because oxfmt reads the same file. The function `format` has no option for ignore patterns.
  const { ignorePatterns: _, ...settings } = JSON.parse(readFileSync(SETTINGS, 'utf8')) as Record<
    string,
    unknown
  >;
  const { code } = await format('document.md', text, settings);
  return code;
}
