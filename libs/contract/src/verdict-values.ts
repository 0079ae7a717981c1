// This module has no schemas, so that scripts of pages can contain it without the schema library.

/** All grades of an endpoint, best first. The grade `?` means ungraded. */
export const GRADES = ['A', 'B', 'C', 'D', 'F', '?'] as const;
export type Grade = (typeof GRADES)[number];

/** All recommendations to a payer, in display order. */
export const RECOMMENDATIONS = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];
