export { canonicalize } from './endpoint/canonicalize.ts';
export type { CanonicalResource, CanonicalResult } from './endpoint/canonicalize.ts';
export { PUBLIC_DIRECTORIES, parseDirectorySource } from './directory/directory-source.ts';
export type { DirectorySource } from './directory/directory-source.ts';
export { isFilledTemplate } from './endpoint/filled-template.ts';
export { parseItems } from './directory/parse-items.ts';
export type { CatalogListing, ParsedItems, RejectedItem } from './directory/parse-items.ts';
export { computeProbeOffsetSeconds } from './endpoint/probe-offset.ts';
export { readDirectory } from './directory/read-directory.ts';
export type {
  DirectoryLimits,
  DirectoryCursor,
  DirectoryReadResult,
  ReadDirectoryOptions,
} from './directory/read-directory.ts';
export { parseSlugId } from './endpoint/slug.ts';
export { toStorableText } from './directory/storable-text.ts';
