import { LRUCache } from 'lru-cache';
import { getProcessValue } from '../platform/process-value.ts';

/** Maximum length of all kept texts together, in characters. */
const MAX_CHARS = 8 * 1024 * 1024;

const getTexts = () =>
  getProcessValue(
    'document-texts',
    () => new LRUCache<string, string>({ maxSize: MAX_CHARS, sizeCalculation: (text) => text.length }),
  );

/** Keeps the text of a document until the web server stores the response with this entity tag. */
export function keepDocumentText(etag: string, text: string): void {
  getTexts().set(etag, text);
}

/** Returns and forgets the kept text of the document with an entity tag; null for other tags. */
export function takeDocumentText(etag: string): string | null {
  const text = getTexts().get(etag) ?? null;
  getTexts().delete(etag);
  return text;
}
