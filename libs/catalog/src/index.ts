export { canonicalize } from './canonicalize.ts';
export type { CanonicalResource, CanonicalResult } from './canonicalize.ts';
export { PUBLIC_DIRECTORIES, readDirectorySource } from './directory-source.ts';
export type { DirectorySource } from './directory-source.ts';
export { parseItems } from './parse-items.ts';
export type { CatalogListing, ParsedItems, Reject } from './parse-items.ts';
export { probeOffsetSeconds } from './probe-offset.ts';
export { readDirectory } from './read-directory.ts';
export type {
  DirectoryLimits,
  DirectoryPlace,
  DirectoryRead,
  ReadDirectoryOptions,
} from './read-directory.ts';
export { idFromSlug } from './slug.ts';
export { storableText } from './storable-text.ts';
