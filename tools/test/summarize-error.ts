import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 8;
const MAX_LINE_LENGTH = 200;
/** Line of source code that a test runner prints in an error message, such as `> 4 |  expect(1).toBe(2);`. */
const SOURCE_LINE = /^\s*>?\s*\d*\s*\|/;
const STACK_LINE = /^\s+at /;
/** Line of a stack trace that is in a dependency or in Node. */
const FOREIGN_STACK_LINE = /node_modules|\bnode:|<anonymous>/;

/**
 * Shortens an error message to its first lines without colors, source code and empty lines, and the first line of the
 * stack trace that is in this repository.
 */
export function summarizeError(message: string): readonly string[] {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !SOURCE_LINE.test(line));
  const text = lines.filter((line) => !STACK_LINE.test(line)).slice(0, MAX_LINES);
  const location = lines.find((line) => STACK_LINE.test(line) && !FOREIGN_STACK_LINE.test(line));
  return [...text, ...(location === undefined ? [] : [location.trim()])].map((line) =>
    line.slice(0, MAX_LINE_LENGTH).trimEnd(),
  );
}
