/** Maximum age of a cached page that is not revalidated earlier, in seconds. */
export const PAGE_LIFETIME_S = 3600;

/** Cache tag of data that the page cache never stores. Pages that show this data are not stored either. */
export const UNSTORED_TAG = 'unstored';
