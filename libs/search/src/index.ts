export {
  EmbedderError,
  EMBEDDING_DIMENSIONS,
  EMBEDDING_MODEL,
  MAX_TEXTS_PER_CALL,
  type Embedder,
} from './embedder.ts';
export { createFunctionEmbedder } from './client/function-embedder.ts';
export { createHttpEmbedder } from './client/http-embedder.ts';
export { createSearchText, type SearchText } from './text/create-search-text.ts';
