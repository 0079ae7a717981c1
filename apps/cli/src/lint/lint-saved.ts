import { createReadStream } from 'node:fs';
import { readChallenge } from '@touchstone/x402';
import { CliError, type CommandTools } from '../command-tools.ts';
import { formatCount } from '../terminal/text.ts';
import { type FailOn, type LintResult, toExitCode } from './lint-result.ts';
import { createPlaceholderNotes, describeUndetermined, findRetryAfter } from './notes.ts';
import { type Document, readDocuments, readLines } from './read-documents.ts';
import { readSavedResponse } from './read-saved-response.ts';

/** Prints one result. */
export type PrintResult = (result: LintResult) => Promise<void>;

/** Output and exit code of a run. */
interface LintSavedOptions {
  readonly printResult: PrintResult;
  readonly failOn: FailOn;
}

interface Totals {
  linted: number;
  failed: number;
  undetermined: number;
  invalidLines: number;
}

/**
 * Lints a file of saved responses. Prints totals if the file has more than one.
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
  const name = file === '-' ? 'standard input' : file;
  const totals: Totals = { linted: 0, failed: 0, undetermined: 0, invalidLines: 0 };
  try {
    for await (const document of lintStream(file === '-' ? host.stdin : createReadStream(file))) {
      if ('fault' in document) {
        totals.invalidLines += 1;
        printMessage(`${name}, line ${String(document.line)}: ${document.fault}`);
        continue;
      }
      addToTotals(totals, toExitCode(document.result, failOn));
      await printResult(document.result);
      if (out.isClosed) return totals.failed > 0 ? 1 : 0;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CliError(`${name} cannot be read: ${cause.message}`, { cause });
  }
  const documents = totals.linted + totals.invalidLines;
  if (documents === 0) throw new CliError(`${name} contains no response.`);
  if (documents > 1) printMessage(formatTotals(totals, failOn));
  if (totals.invalidLines + totals.undetermined > 0) return 2;
  return totals.failed > 0 ? 1 : 0;
}

function addToTotals(totals: Totals, exitCode: 0 | 1 | 2): void {
  totals.linted += 1;
  if (exitCode === 1) totals.failed += 1;
  if (exitCode === 2) totals.undetermined += 1;
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

/** Result of linting one saved response, or the number and fault of a line that could not be read. */
type LintedDocument = { readonly result: LintResult } | { readonly line: number; readonly fault: string };

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
  const { url, status, method = null, headers } = response;
  const challenge = readChallenge(response, context);
  const retryAfter = findRetryAfter(headers);
  const isUndetermined = challenge.verdict === 'undetermined';
  const notes = [
    ...(isUndetermined ? [describeUndetermined(status, headers, Date.now())] : []),
    ...createPlaceholderNotes(url),
    ...remarks,
  ];
  return { result: { url, method, status, failureReason: null, retryAfter, notes, challenge } };
}
