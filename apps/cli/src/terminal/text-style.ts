import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Host } from '../command-tools.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
/** Colors a text, or returns it unchanged when colors are off. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/**
 * Creates the coloring function for a stream.
 *
 * @param color value of --color or --no-color; undefined detects the terminal and NO_COLOR
 */
export function createPaint(stream: Writable, color: boolean | undefined): Paint {
  if (color === false) return (_, text) => text;
  const options = color === true ? { validateStream: false } : { stream };
  return (style, text) => styleText(typeof style === 'string' ? style : [...style], text, options);
}

/** Appearance of printed text. */
export interface TextStyle {
  readonly paint: Paint;
  /** Width in columns. */
  readonly width: number;
}

/** Width of the output, in columns, when the terminal reports none. */
export const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;
const MAX_WIDTH = 100;

/**
 * Creates the text style for standard output.
 *
 * @param color value of --color or --no-color; undefined detects the terminal
 */
export function createTextStyle({ stdout }: Pick<Host, 'stdout'>, color: boolean | undefined): TextStyle {
  // Without a terminal `columns` is undefined. Some terminals report 0 when their width is unknown.
  const columns = stdout.columns || DEFAULT_WIDTH;
  return { paint: createPaint(stdout, color), width: Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH) };
}

/** A labelled value. */
export type Row = readonly [label: string, value: string];

/** Width of the indent and the label of a row, in columns. */
export const LABEL_COLUMNS = 13;

/** Formats rows: labels in the left column, wrapped values in the right column. */
export function formatRows(rows: readonly Row[], { paint, width }: TextStyle): string[] {
  return rows.flatMap(([label, value]) =>
    wrap(value, ' '.repeat(LABEL_COLUMNS), width).map((line, index) =>
      index === 0 ? `  ${paint('dim', label.padEnd(LABEL_COLUMNS - 2))}${line.slice(LABEL_COLUMNS)}` : line,
    ),
  );
}

/** Joins sections with an empty line between them. Sections without lines are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

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

/** Characters that a terminal shows above or below the previous character. */
const COMBINING = /[\p{Mn}\p{Me}]/u;
/** Characters that a terminal shows in two columns: East Asian scripts and punctuation, and emoji. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** Returns the number of terminal columns of a text without control characters. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += countCharacterColumns(character);
  return columns;
}

/**
 * Splits a text into parts of at most `columns` columns. Combining characters stay with their base character.
 *
 * @param columns at least 2, the width of the widest character
 */
function splitColumns(text: string, columns: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of text) {
    const more = countCharacterColumns(character);
    if (used + more > columns) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += character;
    used += more;
  }
  return [...parts, part];
}

function countCharacterColumns(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
