/** Maximum age of a cached page that is not revalidated earlier, in seconds. */
export const PAGE_LIFETIME_S = 3600;
