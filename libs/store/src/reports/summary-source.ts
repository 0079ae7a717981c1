import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { providerNotesSchema } from '../claims/claim-settings.ts';
import { isoTimestampSchema } from '../client/values.ts';
import { snapshotRowSchema } from '../snapshots/snapshot.ts';
import { relatedSchema } from './report-sources.ts';

const sourceSchema = z.object({
  /** Public snapshot; null if the endpoint is unknown, not public or not scored yet. */
  snapshot: snapshotRowSchema.nullable(),
  /** History of the requested wallet; null if there is no snapshot, or if no wallet was requested. */
  payTo: z
    .object({
      /** True if a payment option names the wallet now, or named it before one of the latest 100 changes of wallets. */
      observed: z.boolean(),
      /** True if a payment option names the wallet in the latest terms, which can be newer than the snapshot. */
      current: z.boolean(),
      /**
       * True if the payTo address of each current token on the requested network took several values within a day, and
       * has not stayed the same for a day since then.
       */
      varies: z.boolean(),
      /** Time at which the wallet replaced another wallet, if that was in the last 30 days; otherwise null. */
      changedAt: isoTimestampSchema.nullable(),
      /** First wallet that was replaced at `changedAt`; null if the wallet was added to others, or without `changedAt`. */
      before: z.string().nullable(),
    })
    .nullable(),
  /**
   * Endpoints whose URL may be another form of the requested URL; empty if `snapshot` is set, or if the query has no
   * `place`. Endpoints in directories precede adopted endpoints, and endpoints with the same path precede URL templates.
   * Then the strictest recommendation and the lowest score are first.
   */
  related: relatedSchema,
  /** Time at which the provider of the host opted out, ISO 8601; null with a snapshot, and without an opt-out. */
  optedOutAt: isoTimestampSchema.nullable(),
  /**
   * Number of endpoints of the host that a directory lists, at most 100; null with a snapshot, and if the query has no
   * `place`.
   */
  knownEndpoints: z.int().nullable(),
  /** Announcements of the provider; null without a snapshot, and if no provider has claimed the host. */
  provider: providerNotesSchema.nullable(),
});

/** Stored data of an endpoint summary. Times are in ISO 8601 (UTC). */
export type SummarySource = z.infer<typeof sourceSchema>;

/** Endpoint and wallet of a summary. */
export interface SummaryQuery {
  readonly endpointId: string;
  /**
   * Host, and canonical URL without its query. Related endpoints are found by both values. Null if no related endpoints
   * are needed.
   */
  readonly place: { readonly host: string; readonly pathUrl: string } | null;
  /** CAIP-2 id of the network of the wallet; null for all networks. */
  readonly network: string | null;
  /** Address of the wallet; null if the summary is about no wallet. */
  readonly payTo: string | null;
}

/** Returns the stored data of an endpoint summary with one database call. */
export async function readSummarySource(db: Db, { place, ...query }: SummaryQuery): Promise<SummarySource> {
  return sourceSchema.parse(await call(db, 'endpoint_summary', { ...query, ...place }));
}

/** Returns the hosts that an unknown host may imitate, at most 20,000, in the order of their names. */
export async function listImitableHosts(db: Db): Promise<readonly string[]> {
  return z.array(z.string()).parse(await call(db, 'imitable_hosts', {}));
}
