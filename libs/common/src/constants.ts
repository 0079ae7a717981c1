/** One minute, in milliseconds. */
export const MINUTE_MS = 60_000;
/** One hour, in milliseconds. */
export const HOUR_MS = 3_600_000;
/** One day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;

/**
 * Maximum length of the URL of an endpoint, in UTF-16 code units. Directories, requests, the catalog, responses and the
 * payments table have the same limit, so that every accepted URL can be stored and returned unchanged.
 */
export const MAX_RESOURCE_CHARS = 2_048;
