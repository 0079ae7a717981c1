export { canonicalize, type CanonicalResource } from './endpoint/canonicalize.ts';
export {
  PUBLIC_DIRECTORIES,
  parseDirectorySource,
  type DirectorySource,
} from './directory/directory-source.ts';
export { ImitableHosts } from './hosts/imitable-hosts.ts';
export { parseItems, type CatalogListing, toStorableText } from './directory/parse-items.ts';
export { computeProbeOffsetSeconds, parseSlugId } from './endpoint/endpoint-id.ts';
export { readDirectory, type DirectoryReadResult } from './directory/read-directory.ts';
