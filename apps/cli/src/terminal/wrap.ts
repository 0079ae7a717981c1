/**
 * Breaks text into lines at spaces. A word longer than a line gets its own line unbroken, so that addresses and URLs can
 * be copied.
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
