/**
 * Maximum age of generated documents, such as `/openapi.json`, and of the report preview in public caches, in seconds.
 */
export const DOCUMENT_MAX_AGE_SECONDS = 5 * 60;

/**
 * Maximum age of a published JSON Schema in public caches, in seconds. A published schema never changes, because its
 * URL contains its version.
 */
export const SCHEMA_MAX_AGE_SECONDS = 24 * 60 * 60;

/** Maximum age of the leaderboard JSON and the statistics JSON in public caches, in seconds. */
export const RANKING_MAX_AGE_SECONDS = 60;

/** Maximum age of the summary of an endpoint in public caches, in seconds. */
export const SUMMARY_MAX_AGE_SECONDS = 60;

/** Maximum age of pictures with the grade of an endpoint, such as its badge, in public caches, in seconds. */
export const PICTURE_MAX_AGE_SECONDS = 5 * 60;

/** Maximum age of the Atom feed of events in public caches, in seconds. */
export const EVENTS_MAX_AGE_SECONDS = 60;

/** Maximum age of the sitemaps and of `/robots.txt` in public caches, in seconds. */
export const SITEMAP_MAX_AGE_SECONDS = 60 * 60;
