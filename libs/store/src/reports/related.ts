import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { z } from 'zod';
import { LISTING_SOURCES } from '../snapshots/snapshot.ts';

/**
 * Schema of listed endpoints of a host, at most 200: those whose URL without its query equals the requested URL without
 * its query, and URL templates. The query of the reader sets their order. The requested endpoint itself is left out,
 * and so are provisional adoptions.
 */
export const relatedSchema = z.array(
  z.object({
    resource: z.string(),
    slug: z.string(),
    templated: z.boolean(),
    source: z.enum(LISTING_SOURCES),
    score: z.number(),
    grade: z.enum(GRADES),
    recommendation: z.enum(RECOMMENDATIONS),
    confidence: z.number(),
  }),
);

/** Endpoint that may be the requested one in another form. */
export type RelatedEndpoint = z.infer<typeof relatedSchema>[number];
