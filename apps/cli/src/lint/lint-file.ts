import { readChallenge } from '@touchstone/x402';
import type { Judged } from './judged.ts';
import { readDocuments, type Document } from './read-documents.ts';
import { readLines } from './read-lines.ts';
import { readSaved } from './saved-answer.ts';
import { retryAfterOf, undeterminedNote } from './undetermined.ts';

/** The longest answer that is read, in bytes; a probe keeps an eighth of it. */
const LIMIT = 8_000_000;

/** A judged answer, or a line that could not be and what to change in it. */
export type Linted = { readonly judged: Judged } | { readonly line: number; readonly fault: string };

/** Judges saved answers one after the other as they are read, with no more than 8 MB of them in memory. */
export async function* lintFile(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Linted> {
  for await (const document of readDocuments(readLines(stream, LIMIT), LIMIT)) yield lintDocument(document);
}

function lintDocument(document: Document): Linted {
  if ('fault' in document) return document;
  const saved = readSaved(document.json);
  if (!saved.ok) return { line: document.line, fault: saved.fault };
  const { response, context } = saved;
  const { url, status, method = null, headers } = response;
  const challenge = readChallenge(response, context);
  const retryAfter = retryAfterOf(headers);
  const notes = challenge.verdict === 'undetermined' ? [undeterminedNote(status, retryAfter)] : [];
  return { judged: { url, method, status, silence: null, retryAfter, notes, challenge } };
}
