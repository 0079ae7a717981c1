import type { Line } from './read-lines.ts';

/** A JSON document of a file, and the line it begins on; or why there is none. */
export type Document =
  { readonly line: number; readonly json: unknown } | { readonly line: number; readonly fault: string };

/** How the first line of a document ends that goes on below it. */
const GOES_ON = /[[{,:]\s*$/;
/** How a line begins that can be inside a document: a new one begins in the first column. */
const INSIDE = /^[\s\]}"[]/;

interface Open {
  readonly line: number;
  readonly lines: string[];
  size: number;
}

/**
 * The JSON documents among lines: one a line, or one over many lines as tools print it to be read. What is no JSON is
 * told and left behind; reading goes on with the next line that can begin a document.
 *
 * @param limit characters of the longest document over many lines
 */
export async function* readDocuments(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Document> {
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
