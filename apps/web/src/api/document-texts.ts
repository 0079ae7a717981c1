import { LRUCache } from 'lru-cache';
import { getProcessValue } from '../platform/process-value.ts';

/** Maximum number of kept texts. The site has about 40 documents, and a few of them change. */
const MAX_TEXTS = 100;

const getTexts = () =>
  getProcessValue('document-texts', () => new LRUCache<string, string>({ max: MAX_TEXTS }));

/** Keeps the text of a document for the web server, which answers further requests for the document itself. */
export function keepDocumentText(etag: string, text: string): void {
  getTexts().set(etag, text);
}

/** Returns the kept text of the document with an entity tag; null for other tags. */
export function findDocumentText(etag: string): string | null {
  return getTexts().get(etag) ?? null;
}
