import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Host } from '../run.ts';
import { wrap } from './wrap.ts';

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
