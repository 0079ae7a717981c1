/**
 * Maximum length of the URL of an endpoint, in UTF-16 code units. Directories, requests, the catalog, responses and the
 * payments table have the same limit, so that every accepted URL can be stored and returned unchanged.
 */
export const MAX_RESOURCE_CHARS = 2_048;
