/** Seconds after which a page is made anew even when nobody said that its data changed. */
export const PAGE_LIFETIME_S = 3600;
