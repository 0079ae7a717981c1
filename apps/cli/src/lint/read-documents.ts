import { toMessage } from '../command-tools.ts';

/** A JSON document of a file, or the fault of invalid JSON. `line` is the number of the first line. */
export type Document =
  | { readonly line: number; readonly json: unknown }
  | { readonly line: number; readonly fault: string };

/**
 * Reads the JSON documents of a text: one document in any layout, or one document on each line. Invalid JSON is a fault,
 * after which the reading continues with the next line.
 *
 * @param limit maximum length of a document over several lines, in characters
 */
export async function* readDocuments(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  const source = lines[Symbol.asyncIterator]();
  const { buffered, isWholeText } = await bufferPossibleDocument(source, limit);
  if (isWholeText) {
    const line = buffered.find(({ text }) => !isBlank(text))?.number ?? 1;
    const whole = parse(line, buffered.map(({ text }) => text).join('\n'));
    if ('json' in whole) {
      yield whole;
      return;
    }
  }
  yield* buffered.flatMap(parseLine);
  for await (const line of { [Symbol.asyncIterator]: () => source }) yield* parseLine(line);
}

/**
 * Buffers lines as long as the text can be a single document. `isWholeText` is true when all lines were buffered. It is
 * false when a line shows that the text has several documents or exceeds the limit.
 */
async function bufferPossibleDocument(
  source: AsyncIterator<Line>,
  limit: number,
): Promise<{ buffered: Line[]; isWholeText: boolean }> {
  const buffered: Line[] = [];
  let size = 0;
  let hasBegun = false;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { number, text } = next.value;
    buffered.push(next.value);
    size += (text?.length ?? limit) + 1;
    if (text === null || size > limit) return { buffered, isWholeText: false };
    // If the first line is a whole document, or does not begin with a bracket, the text is read line by line.
    const isFirst: boolean = !hasBegun && !isBlank(text);
    if (isFirst && (!/^\s*[[{]/.test(text) || 'json' in parse(number, text)))
      return { buffered, isWholeText: false };
    hasBegun ||= isFirst;
  }
  return { buffered, isWholeText: true };
}

function isBlank(text: string | null): boolean {
  return text?.trim() === '';
}

/** Parses a line that is a document. Returns nothing for an empty line. */
function parseLine({ number, text }: Line): readonly Document[] {
  if (text === null) return [{ line: number, fault: 'too long; the maximum is 8 MB for each response' }];
  return isBlank(text) ? [] : [parse(number, text)];
}

function parse(line: number, text: string): Document {
  try {
    return { line, json: JSON.parse(text) };
  } catch (error) {
    return { line, fault: `not valid JSON: ${toMessage(error)}` };
  }
}

const LINE_FEED = 0x0a;

/** One line of a file. */
export interface Line {
  /** Line number, counted from 1. */
  readonly number: number;
  /** Null for a line longer than the limit. */
  readonly text: string | null;
}

/**
 * Reads the lines of a stream of UTF-8 text, with at most one line in memory.
 *
 * @param limit maximum length of a line, in bytes; the text of a longer line is null
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    pieces = size > limit ? [] : [...pieces, piece];
  };
  const take = (): Line => {
    // Some editors write a byte order mark at the beginning of a file. A new decoder removes the mark.
    const text = size > limit ? null : new TextDecoder().decode(Buffer.concat(pieces));
    [pieces, size] = [[], 0];
    return { number: (number += 1), text };
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield take();
}
