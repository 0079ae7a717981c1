import type { EcosystemEventKind } from '@touchstone/contract';

/** Event of a host on one UTC day: one or more of its endpoints entered the state that the kind names. */
export interface EcosystemEvent {
  readonly id: string;
  /** Time of the first endpoint's event, ISO 8601. */
  readonly at: string;
  /** Time at which the number of endpoints last rose, ISO 8601. Equals `at` for a single endpoint. */
  readonly updatedAt: string;
  readonly kind: EcosystemEventKind;
  readonly host: string;
  /** Slug of the first endpoint with this event. */
  readonly slug: string;
  /** URL of the first endpoint with this event. */
  readonly resource: string;
  /** Number of endpoints of this host with this event on this UTC day, at least 1. */
  readonly endpoints: number;
}

export interface EcosystemEventQuery {
  /** Kinds to return; an empty list returns all kinds. */
  readonly kinds: readonly EcosystemEventKind[];
  /** Value of `next` of the previous page; null for the newest events. */
  readonly before: string | null;
  /** Maximum number of events, 1 to 100. */
  readonly limit: number;
}

export interface EcosystemEventPage {
  /** Events, newest first. */
  readonly events: readonly EcosystemEvent[];
  /** Value of `before` for the next page; null on the last page. */
  readonly next: string | null;
}
