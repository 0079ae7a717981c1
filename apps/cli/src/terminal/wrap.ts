/**
 * Breaks text into lines at spaces. A word longer than a line is not broken, so that addresses and URLs can be copied.
 *
 * @param width maximum width of a line including the indent, in columns
 */
export function wrap(text: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
