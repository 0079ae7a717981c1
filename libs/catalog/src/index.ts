export { canonicalize, type CanonicalResource, type CanonicalResult } from './endpoint/canonicalize.ts';
export {
  PUBLIC_DIRECTORIES,
  parseDirectorySource,
  type DirectorySource,
} from './directory/directory-source.ts';
export { isFilledTemplate } from './endpoint/fill-template.ts';
export {
  parseItems,
  type CatalogListing,
  type ParsedItems,
  type RejectedItem,
  toStorableText,
} from './directory/parse-items.ts';
export { computeProbeOffsetSeconds, parseSlugId } from './endpoint/endpoint-id.ts';
export {
  readDirectory,
  type DirectoryLimits,
  type DirectoryCursor,
  type DirectoryReadResult,
  type ReadDirectoryOptions,
} from './directory/read-directory.ts';
