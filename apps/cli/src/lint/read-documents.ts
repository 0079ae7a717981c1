import { toMessage } from '../command-tools.ts';

/** A JSON document of a file, or the fault of invalid JSON. `line` is the number of the first line. */
export type Document =
  | { readonly line: number; readonly json: unknown }
  | { readonly line: number; readonly fault: string };

/** Matches a line whose end shows that the document continues on the next line. */
const CONTINUES = /[[{,:]\s*$/;
/**
 * Matches a line that can belong to a document that has begun on an earlier line. A line that does not match ends that
 * document.
 */
const INSIDE_DOCUMENT = /^([\s\]}"[]|$)/;

/**
 * Reads the JSON documents of a text. If the whole text is one document, it can have any layout. Otherwise the
 * documents are found line by line (see `readDocumentsByLine`).
 *
 * @param limit maximum length of a document over several lines, in characters
 */
export async function* readDocuments(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  const source = lines[Symbol.asyncIterator]();
  const { buffered, isWholeText } = await bufferPossibleDocument(source, limit);
  if (isWholeText) {
    const line = buffered.find(({ text }) => !isBlank(text))?.number ?? 1;
    const whole = parse(line, buffered.map(({ text }) => text ?? '').join('\n'));
    if ('json' in whole) {
      yield whole;
      return;
    }
  }
  yield* readDocumentsByLine(concatenate(buffered, source), limit);
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

async function* concatenate(first: readonly Line[], rest: AsyncIterator<Line>): AsyncGenerator<Line> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function isBlank(text: string | null): boolean {
  return text?.trim() === '';
}

/**
 * Reads documents that are one line each, or indented over several lines. Reports invalid JSON as a fault, and
 * continues with the next line that can begin a document.
 */
async function* readDocumentsByLine(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  /** Lines of a document that has not ended. */
  let open: string[] = [];
  let first = 0;
  const close = (): readonly Document[] => {
    const documents = open.length === 0 ? [] : [parse(first, open.join('\n'))];
    open = [];
    return documents;
  };
  let size = 0;
  for await (const { number, text } of lines) {
    if (text === null || !INSIDE_DOCUMENT.test(text) || size > limit) yield* close();
    if (text === null) yield { line: number, fault: 'too long; the maximum is 8 MB for each response' };
    else if (open.length > 0) {
      open.push(text);
      size += text.length;
      if (/^[\]}]/.test(text)) yield* close();
    } else if (/^\s*[[{]/.test(text) && CONTINUES.test(text))
      [open, first, size] = [[text], number, text.length];
    else if (text.trim() !== '') yield parse(number, text);
  }
  yield* close();
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
