import { countColumns, splitColumns } from './columns.ts';

/**
 * Breaks text into lines at spaces. A word longer than a line is not broken, so that addresses and URLs can be copied.
 *
 * @param width maximum width of a line including the indent, in columns
 */
export function wrap(text: string, indent: string, width: number): string[] {
  return wrapWords(text.split(' '), indent, width);
}

/** Breaks text into lines like `wrap`, and also breaks words longer than a line, as in Chinese or in untrusted text. */
export function wrapAnywhere(text: string, indent: string, width: number): string[] {
  const columns = Math.max(2, width - indent.length);
  const words = text.split(' ').flatMap((word) => splitColumns(word, columns));
  return wrapWords(words, indent, width);
}

function wrapWords(words: readonly string[], indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + countColumns(longer) > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
