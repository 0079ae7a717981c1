import { readChallenge } from '@touchstone/x402';
import { describeUndetermined, findRetryAfter } from '../describe-undetermined.ts';
import type { LintResult } from '../lint-result.ts';
import { createPlaceholderNotes } from '../placeholder-note.ts';
import { readDocuments, type Document } from './read-documents.ts';
import { readLines } from './read-lines.ts';
import { readSavedResponse } from './read-saved-response.ts';

/**
 * Maximum length of a saved response, in bytes. A response with a body of 1 MiB, the limit for live responses, is
 * shorter, even if JSON escapes every byte as six characters.
 */
const MAX_RESPONSE_BYTES = 8_000_000;

/** Result of linting one saved response, or the number and fault of a line that could not be read. */
export type LintedDocument =
  | { readonly result: LintResult }
  | { readonly line: number; readonly fault: string };

/** Lints saved responses one by one while they are read, with at most 8 MB of them in memory. */
export async function* lintStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<LintedDocument> {
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
