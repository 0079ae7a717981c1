export {
  EmbedderError,
  EMBEDDING_DIMENSIONS,
  EMBEDDING_MODEL,
  MAX_TEXTS_PER_CALL,
  type EmbeddedText,
  type Embedder,
} from './embedder.ts';
export { createFunctionEmbedder, createHttpEmbedder } from './client/create-embedder.ts';
export { expandQuery } from './jobs/jobs.ts';
export { createSearchText, type SearchText } from './text/create-search-text.ts';
