/** Maximum age of a cached page that is not revalidated earlier, in seconds. */
export const PAGE_LIFETIME_S = 3600;

/** Tag of data that the page cache never stores, together with the pages that show this data. */
export const UNSTORED_TAG = 'unstored';
