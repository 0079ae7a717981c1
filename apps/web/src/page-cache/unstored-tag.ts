/** Tag of data that the page cache never stores, together with the pages that show this data. */
export const UNSTORED_TAG = 'unstored';
