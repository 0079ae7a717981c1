import type { Line } from './read-lines.ts';

/** A JSON document of a file with the line of its beginning, or the fault of that line. */
export type Document =
  { readonly line: number; readonly json: unknown } | { readonly line: number; readonly fault: string };

/** End of the first line of a document that continues on the next line. */
const CONTINUES = /[[{,:]\s*$/;
/** Beginning of a line that can be inside a document. A new document begins in the first column. */
const INSIDE_DOCUMENT = /^([\s\]}"[]|$)/;

/** A document over several lines that is not complete yet. */
interface PartialDocument {
  readonly line: number;
  readonly lines: string[];
  size: number;
}

/**
 * Reads the JSON documents of a text. A text that is one document may have any layout. Otherwise the documents are found
 * line by line (see `readDocumentsByLine`).
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
 * Buffers lines while they can be parts of a single document: all lines of the text, or the lines up to the one that
 * shows that it contains more than one document.
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
    // A first line that is a whole document, or begins none, cannot begin a document over several lines.
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
 * Reads documents of one line each, or indented documents over several lines. Invalid JSON is reported as a fault, and
 * reading continues with the next line that can begin a document.
 */
async function* readDocumentsByLine(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  let open: PartialDocument | null = null;
  for await (const { number, text } of lines) {
    if (open !== null && (text === null || !INSIDE_DOCUMENT.test(text) || open.size > limit)) {
      yield close(open);
      open = null;
    }
    if (text === null) yield { line: number, fault: 'too long; the maximum is 8 MB for each response' };
    else if (open !== null) {
      open.lines.push(text);
      open.size += text.length;
      if (!/^[\]}]/.test(text)) continue;
      yield close(open);
      open = null;
    } else if (/^\s*[[{]/.test(text) && CONTINUES.test(text))
      open = { line: number, lines: [text], size: text.length };
    else if (text.trim() !== '') yield parse(number, text);
  }
  if (open !== null) yield close(open);
}

function close({ line, lines }: PartialDocument): Document {
  return parse(line, lines.join('\n'));
}

function parse(line: number, text: string): Document {
  try {
    return { line, json: JSON.parse(text) };
  } catch (error) {
    return { line, fault: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
