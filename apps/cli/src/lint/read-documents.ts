import type { Line } from './read-lines.ts';

/** A JSON document of a file, and the line it begins on; or why there is none. */
export type Document =
  { readonly line: number; readonly json: unknown } | { readonly line: number; readonly fault: string };

/** How the first line of a document ends that goes on below it. */
const GOES_ON = /[[{,:]\s*$/;
/** How a line begins that can be inside a document: a new one begins in the first column. */
const INSIDE = /^([\s\]}"[]|$)/;

interface Open {
  readonly line: number;
  readonly lines: string[];
  size: number;
}

/**
 * The JSON documents of a text. A text that is one document is taken as it is; else its documents are found among its
 * lines (see `documentsAmong`).
 *
 * @param limit characters of the longest document over many lines
 */
export async function* readDocuments(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  const source = lines[Symbol.asyncIterator]();
  const { held, isAll } = await hold(source, limit);
  if (isAll) {
    const line = held.find(({ text }) => !isBlank(text))?.number ?? 1;
    const whole = parse(line, held.map(({ text }) => text ?? '').join('\n'));
    if ('json' in whole) {
      yield whole;
      return;
    }
  }
  yield* documentsAmong(followedBy(held, source), limit);
}

/** Takes lines as long as they may be one document together; all of them, or those that show that they are not. */
async function hold(source: AsyncIterator<Line>, limit: number): Promise<{ held: Line[]; isAll: boolean }> {
  const held: Line[] = [];
  let size = 0;
  let hasBegun = false;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { number, text } = next.value;
    held.push(next.value);
    size += (text?.length ?? limit) + 1;
    if (text === null || size > limit) return { held, isAll: false };
    // What is whole by itself, or begins no document, is not the beginning of one over many lines.
    const isFirst: boolean = !hasBegun && !isBlank(text);
    if (isFirst && (!/^\s*[[{]/.test(text) || 'json' in parse(number, text))) return { held, isAll: false };
    hasBegun ||= isFirst;
  }
  return { held, isAll: true };
}

async function* followedBy(held: readonly Line[], rest: AsyncIterator<Line>): AsyncGenerator<Line> {
  yield* held;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function isBlank(text: string | null): boolean {
  return text?.trim() === '';
}

/**
 * One document a line, or one over many lines as tools print it to be read. What is no JSON is told and left behind;
 * reading goes on with the next line that can begin a document.
 */
async function* documentsAmong(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
  let open: Open | null = null;
  for await (const { number, text } of lines) {
    if (open !== null && (text === null || !INSIDE.test(text) || open.size > limit)) {
      yield close(open);
      open = null;
    }
    if (text === null) yield { line: number, fault: 'it is too long: keep answers below 8 MB' };
    else if (open !== null) {
      open.lines.push(text);
      open.size += text.length;
      if (!/^[\]}]/.test(text)) continue;
      yield close(open);
      open = null;
    } else if (/^\s*[[{]/.test(text) && GOES_ON.test(text))
      open = { line: number, lines: [text], size: text.length };
    else if (text.trim() !== '') yield parse(number, text);
  }
  if (open !== null) yield close(open);
}

function close({ line, lines }: Open): Document {
  return parse(line, lines.join('\n'));
}

function parse(line: number, text: string): Document {
  try {
    return { line, json: JSON.parse(text) };
  } catch (error) {
    return { line, fault: `it is not JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
}
