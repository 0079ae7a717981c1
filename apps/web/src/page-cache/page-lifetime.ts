/** Maximum age of a cached page without revalidation, in seconds. */
export const PAGE_LIFETIME_S = 3600;
