import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { parseDecimal, toUnits } from '@touchstone/common';
import { formatAtomicUsd } from '@touchstone/x402';
import type { Host } from '../command-tools.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
/** Function that colors a text, or returns the text unchanged when colors are off. */
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

/** Width of the output in columns, for a terminal that reports no width. */
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

/**
 * Breaks text into lines like `wrap`, and also breaks words longer than a line, as in Chinese or in untrusted text. Each
 * Unicode character counts as one column.
 */
export function wrapAnywhere(text: string, indent: string, width: number): string[] {
  const columns = Math.max(1, width - indent.length);
  const part = new RegExp(`.{1,${String(columns)}}`, 'gsu');
  const words = text.split(' ').flatMap((word) => word.match(part) ?? ['']);
  return wrapWords(words, indent, width);
}

function wrapWords(words: readonly string[], indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + [...longer].length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}

/**
 * Formats a similarity from 0 to 1 in whole percent, rounded down: `82 %`. The service ranks by whole percent, so a
 * similarity with decimals would look wrongly ranked.
 */
export function formatSimilarity(similarity: number): string {
  // The service rounds to four decimals. Without rounding, 0.58 × 100 would be 57.99….
  return `${String(Math.floor(Math.round(similarity * 10_000) / 100))} %`;
}

/** Number of decimals of USDC on every supported network. US dollars in the API have the same number of decimals. */
const USDC_DECIMALS = 6;

/**
 * Converts an amount in US dollars, as a user types it, to atomic units of USDC.
 *
 * @returns null for any other text, such as an amount with more than six decimals
 */
export function parseUsd(text: string): bigint | null {
  const amount = parseDecimal(text.trim().replace(/^\$/, ''));
  return amount === null || amount.scale > USDC_DECIMALS ? null : toUnits(amount, USDC_DECIMALS);
}

/** Formats atomic units of USDC exactly, as dollars that `parseUsd` accepts: `$0.005`, `$12.50`. */
export function formatUsdc(amount: bigint): string {
  return `$${formatAtomicUsd(amount, USDC_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/**
 * Characters that a terminal executes instead of showing: control and format characters, and line separators. Such
 * characters can move the cursor, change colors, reverse the text direction or break lines.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const CONTROL_CHARACTERS_EXCEPT_LINE_FEED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Control characters, and brackets of commands to build runners, such as `##[error]`. */
const ESCAPED_IN_JSON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=##\w*)\[/gu;
const ESCAPED_IN_JSON_EXCEPT_LAYOUT = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=##\w*)\[/gu;

/** Maximum printed length of a URL, in UTF-16 units. */
export const MAX_URL_CHARS = 3_000;

/**
 * Returns untrusted text as one line without control characters.
 *
 * @param limit maximum length in UTF-16 units; a longer text ends with an ellipsis
 */
export function toPlainText(text: string, limit = 1_000): string {
  const line = text
    .slice(0, limit + 1)
    .replace(/\s+/gu, ' ')
    .replace(CONTROL_CHARACTERS, '')
    .toWellFormed()
    .trim();
  return text.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** Removes all control characters except line feeds from untrusted text. */
export function toPlainLines(text: string): string {
  return text.replace(CONTROL_CHARACTERS_EXCEPT_LINE_FEED, '').toWellFormed();
}

/**
 * Changes text that a build runner would execute: lines that begin with `::` after spaces, which are commands to the
 * runner of GitHub, and `##[` or `##vso[` at any place, which are commands of GitHub, Azure Pipelines and TeamCity. A
 * similar character replaces the first colon or the bracket, so the width of the text stays the same.
 */
export function breakRunnerCommands(text: string): string {
  return text.replace(/^([\t\v\f\u0085\p{Zs}]*):(?=:)/gmu, '$1∶').replace(/(?<=##\w*)\[/g, '(');
}

/**
 * Serializes a value as JSON on one line, with control characters and commands to build runners escaped. Both occur only
 * in strings, so escaping does not change the value.
 */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED_IN_JSON, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Escapes control characters and commands to build runners in a JSON text. Values and layout stay the same. */
export function escapeJsonText(text: string): string {
  // Carriage returns are removed: on a terminal, the text after a carriage return overwrites the beginning of the line.
  // In JSON, a carriage return is only white space, so no value changes.
  return text.replace(/\r/g, '').replace(ESCAPED_IN_JSON_EXCEPT_LAYOUT, escapeCharacter);
}
