// This file does not import zod, so that scripts of pages can import it without zod.

/**
 * All kinds of ecosystem events, most severe first: a changed payTo address, a sudden price increase, a removal from
 * all directories, and a confirmed outage.
 */
export const ECOSYSTEM_EVENT_KINDS = ['takeover-suspected', 'price-spike', 'delisted', 'outage'] as const;
export type EcosystemEventKind = (typeof ECOSYSTEM_EVENT_KINDS)[number];

/** Time for which ecosystem events are kept, in days. */
export const ECOSYSTEM_EVENT_DAYS = 90;
