/** Maximum age of generated documents and of the preview in public caches, in seconds. */
export const DOCUMENT_MAX_AGE_SECONDS = 5 * 60;

/** Maximum age of a published JSON Schema in public caches, in seconds. The URL of a schema contains its version. */
export const SCHEMA_MAX_AGE_SECONDS = 24 * 60 * 60;

/** Maximum age of the leaderboard and the statistics as JSON in public caches, in seconds. */
export const RANKING_MAX_AGE_SECONDS = 60;
