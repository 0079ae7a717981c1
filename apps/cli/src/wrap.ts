/**
 * Breaks text into lines at its spaces. A word longer than a line keeps a line of its own: addresses and links are
 * there to be copied.
 *
 * @param width columns for indent and text together
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
