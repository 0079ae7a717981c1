import { formatCount } from '@touchstone/common';
import {
  createPlaceholderNotes,
  createRedirectNote,
  describeUndetermined,
  findRetryAfter,
} from '@touchstone/check';
import { readChallenge } from '@touchstone/x402';
import { CliError, type CommandTools, toMessage } from '../command-tools.ts';
import { formatFileName, openText } from '../network/read-source.ts';
import type { SavedPlace } from './format-sarif.ts';
import { ADVICE } from './lint-endpoint.ts';
import { type FailOn, type LintResult, toExitCode } from './lint-result.ts';
import { readSavedResponse } from './read-saved-response.ts';

/** Prints a result. `place` is null for a response from the network, and for one from standard input. */
export type PrintResult = (result: LintResult, place: SavedPlace | null) => Promise<void>;

interface LintSavedOptions {
  readonly printResult: PrintResult;
  readonly failOn: FailOn;
}

/** Lines with a remark on the format of a saved response. */
interface RemarkedLines {
  readonly first: number;
  readonly count: number;
}

interface Totals {
  /** Lines by remark, of at most `MAX_REMARKS` remarks. Members that are not used often occur on every line. */
  readonly remarks: Map<string, RemarkedLines>;
  /** Number of remarks that are not in `remarks`. */
  furtherRemarks: number;
  linted: number;
  failed: number;
  undetermined: number;
  invalidLines: number;
}

/**
 * Lints a file of saved responses. Prints totals if the file has more than one response.
 *
 * @param file path, or `-` for standard input
 * @returns the exit code
 * @throws CliError when the file cannot be read or is empty
 */
export async function lintSaved(
  file: string,
  { printResult, failOn }: LintSavedOptions,
  { host, out, printMessage }: CommandTools,
): Promise<number> {
  const name = formatFileName(file);
  const totals: Totals = {
    remarks: new Map(),
    furtherRemarks: 0,
    linted: 0,
    failed: 0,
    undetermined: 0,
    invalidLines: 0,
  };
  for await (const document of lintStream(openText(file, host.stdin))) {
    if ('fault' in document) {
      totals.invalidLines += 1;
      printMessage(`${name}, line ${String(document.line)}: ${document.fault}`);
      continue;
    }
    addToTotals(totals, toExitCode(document.result, failOn));
    addRemarks(totals, document);
    await printResult(document.result, file === '-' ? null : { file, line: document.line });
    if (out.isClosed) return totals.failed > 0 ? 1 : 0;
  }
  const documents = totals.linted + totals.invalidLines;
  if (documents === 0) throw new CliError(`${name} contains no response.`);
  for (const [remark, lines] of totals.remarks) printMessage(`${name}, ${formatLines(lines)}: ${remark}`);
  if (totals.furtherRemarks > 0)
    printMessage(`${name}: ${formatCount(totals.furtherRemarks, 'more remark')}.`);
  if (documents > 1) printMessage(formatTotals(totals, failOn));
  if (totals.invalidLines + totals.undetermined > 0) return 2;
  return totals.failed > 0 ? 1 : 0;
}

function addToTotals(totals: Totals, exitCode: 0 | 1 | 2): void {
  totals.linted += 1;
  if (exitCode === 1) totals.failed += 1;
  if (exitCode === 2) totals.undetermined += 1;
}

/** Maximum number of different remarks that are stored and printed. An untrusted file can cause one for each line. */
const MAX_REMARKS = 20;

function addRemarks(totals: Totals, { line, remarks: added }: Linted): void {
  const { remarks } = totals;
  for (const remark of added) {
    const { first, count } = remarks.get(remark) ?? { first: line, count: 0 };
    if (count > 0 || remarks.size < MAX_REMARKS) remarks.set(remark, { first, count: count + 1 });
    else totals.furtherRemarks += 1;
  }
}

function formatLines({ first, count }: RemarkedLines): string {
  return count === 1
    ? `line ${String(first)}`
    : `line ${String(first)} and ${formatCount(count - 1, 'other line')}`;
}

const FAULTS: Readonly<Record<FailOn, string>> = {
  unpayable: 'unpayable',
  error: 'with errors',
  warning: 'with errors or warnings',
};

function formatTotals({ linted, failed, undetermined, invalidLines }: Totals, failOn: FailOn): string {
  return [
    formatCount(linted, 'response'),
    `${String(failed)} ${FAULTS[failOn]}`,
    ...(undetermined === 0 ? [] : [`${String(undetermined)} undetermined`]),
    ...(invalidLines === 0 ? [] : [formatCount(invalidLines, 'invalid line')]),
  ].join(', ');
}

/**
 * Maximum length of a saved response, in bytes. A response with a body of 1 MiB, the limit for live responses, is
 * shorter, even if JSON escapes every byte as six characters.
 */
const MAX_RESPONSE_BYTES = 8_000_000;

interface Linted {
  readonly line: number;
  readonly result: LintResult;
  /** Sentences about ignored members of the saved response. */
  readonly remarks: readonly string[];
}

/** Result of linting one saved response, or the number and fault of a line that could not be read. */
type LintedDocument = Linted | { readonly line: number; readonly fault: string };

/** Lints each saved response as soon as the response was read. At most 8 MB of the file are in memory. */
async function* lintStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<LintedDocument> {
  const lines = readLines(stream, MAX_RESPONSE_BYTES);
  for await (const document of readDocuments(lines, MAX_RESPONSE_BYTES)) yield lintDocument(document);
}

function lintDocument(document: Document): LintedDocument {
  if ('fault' in document) return document;
  const saved = readSavedResponse(document.json);
  if (!saved.ok) return { line: document.line, fault: saved.fault };
  const { response, context, remarks } = saved;
  const { url, status, method = null, headers, redirects = [] } = response;
  const challenge = readChallenge(response, context);
  const retryAfter = findRetryAfter(headers);
  const isUndetermined = challenge.verdict === 'undetermined';
  const hint = isUndetermined
    ? describeUndetermined(status, headers, { now: Date.now(), advice: ADVICE })
    : null;
  const notes = [createRedirectNote(redirects), hint, ...createPlaceholderNotes(url)].filter(
    (note) => note !== null,
  );
  const result = {
    url,
    redirects,
    method,
    status,
    failureReason: null,
    retryAfter,
    hint,
    notes,
    challenge,
    response,
  };
  return { line: document.line, result, remarks };
}

/** A JSON document of a file, or the fault of invalid JSON. `line` is the number of the first line. */
export type Document =
  | { readonly line: number; readonly json: unknown }
  | { readonly line: number; readonly fault: string };

/**
 * Reads the JSON documents of a text: one document in any layout, or one document on each line. For invalid JSON, a
 * fault is returned, and the reading continues with the next line.
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
 * Buffers lines as long as the text can be a single document. `isWholeText` is true when all lines were buffered, and
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

/** Parses a line as one JSON document. Returns an empty list for an empty line. */
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
