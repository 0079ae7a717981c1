import { formatTimestamp } from '@touchstone/common';
import { CHANGE_KINDS, COMPLIANCE_RESULTS } from '@touchstone/contract';
import {
  clientSettingSchema,
  deliveryFactsSchema,
  failureSchema,
  LATENCY_BUCKETS,
  payOnSchema,
  payToVariationSchema,
  purchaseFactSchema,
  redirectSchema,
  scoreInputsSchema,
} from '@touchstone/trust';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { causesSchema, LISTING_SOURCES, type Snapshot, exampleRequestSchema } from '../snapshots/snapshot.ts';
import { createRowSchema, toRow } from '../client/rows.ts';
import { timestampSchema } from '../client/values.ts';

const version = z.union([z.literal(1), z.literal(2)]).nullable();

const termsSchema = z.object({
  version,
  options: z.array(payOnSchema),
  description: z.string().nullable(),
  resourceInfoMissing: z.boolean(),
  headerBodyMismatch: z.boolean(),
  neededSettings: z.array(clientSettingSchema),
  redirect: redirectSchema.nullable(),
});

const endpointSchema = z.object({
  id: z.string(),
  resource: z.string(),
  slug: z.string(),
  host: z.string(),
  templated: z.boolean(),
  serviceName: z.string().nullable(),
  description: z.string().nullable(),
  declaredMethod: z.string().nullable(),
  exampleRequest: exampleRequestSchema.nullable(),
  listedOptions: z.array(payOnSchema),
  protocolVersion: version,
  listingStatus: z.enum(['listed', 'delisted']),
  firstSeenAt: timestampSchema,
  delistedAt: timestampSchema.nullable(),
  removed: z.boolean(),
  directories: z.array(z.string()),
  /** `directory` if a directory lists the endpoint or listed it before; `adopted` if only a paid report added it. */
  source: z.enum(LISTING_SOURCES),
});

/** Schema with one reason for each protocol version; null if no reasons were stored with the challenge. */
const reasonsSchema = z.object({ v1: z.string().nullable(), v2: z.string().nullable() }).nullable();

const stateSchema = z.object({
  method: z.string().nullable(),
  lastProbedAt: timestampSchema.nullable(),
  lastCountedAt: timestampSchema.nullable(),
  downSince: timestampSchema.nullable(),
  /** Time of the first probe since the endpoint last succeeded; null if the latest probe succeeded. */
  failingSince: timestampSchema.nullable(),
  /** Latest failed probe at any time, also after a recovery; null if no failure is stored. */
  lastFailure: failureSchema.extend({ at: timestampSchema, since: timestampSchema }).nullable(),
  watchedSince: timestampSchema.nullable(),
  lastUpAt: timestampSchema.nullable(),
  lastChallengedAt: timestampSchema.nullable(),
  lastPayableAt: timestampSchema.nullable(),
  terms: termsSchema.nullable(),
  termsAt: timestampSchema.nullable(),
  /** Hash of the latest challenge; null before the first challenge. */
  challengeHash: z.string().nullable(),
  /**
   * Ids of the failed rules of the latest challenge, and reasons why the challenge cannot be paid: why no payment is
   * signed, and why a signed payment would fail. Null if the challenge has no formal error or is not stored.
   */
  faultyChallenge: z
    .object({
      ...{ version, refusals: reasonsSchema, settlementFailures: reasonsSchema },
      failedRules: z.array(z.string()),
    })
    .nullable(),
  /** Compliance result of the latest challenge; null before the first challenge. */
  compliance: z.enum(COMPLIANCE_RESULTS).nullable(),
  /** Time of the challenge with this compliance result; null before the first challenge. */
  complianceAt: timestampSchema.nullable(),
  /** Number of listed endpoints on other hosts that advertise one of this endpoint's wallets. */
  payToSharedWith: z.number().int(),
  /** Number of other listed endpoints of the same host that advertise one of this endpoint's wallets. */
  payToSharedOnHost: z.number().int(),
});

/**
 * Schema of a histogram. The database sends an object from bucket to count, without empty buckets. The parsed value is
 * the array of the counts of all buckets.
 */
const histogramSchema = z
  .record(z.string(), z.number())
  .transform((counts) => Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => counts[String(bucket)] ?? 0));

/** Schema of sums over the last 30 days in UTC, including the current day. */
const sumsSchema = z.object({
  ...scoreInputsSchema.pick({ probes: true, envelopes: true, last7d: true }).shape,
  slotsDue: z.number(),
  slotsProbed: z.number(),
  dueSeconds: z.number(),
  free: z.number(),
  latencyN: z.number(),
  latencySumMs: z.number(),
  latencyHistogram: histogramSchema.nullable(),
  /**
   * Figures of the time to the last byte of the response. The members `latency…` measure the time to the first byte.
   */
  responseN: z.number(),
  responseSumMs: z.number(),
  responseHistogram: histogramSchema.nullable(),
  /** Number of distinct payTo addresses by network and token; null without terms in these days. */
  payToCounts: z.record(z.string(), z.number().int()).nullable(),
  /** Number of failed probes by cause. */
  causes: causesSchema,
  medianPriceUsd: z.string().nullable(),
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
});

/** Schema of the payment terms before or after a change. */
export const changedTermsSchema = termsSchema.pick({ version: true, description: true, options: true });

const changeSchema = z.object({
  kind: z.enum(CHANGE_KINDS),
  at: timestampSchema,
  /** Payment terms before the change; null before the latest 20 changes of the kind. The same applies to `after`. */
  before: changedTermsSchema.nullable(),
  after: changedTermsSchema.nullable(),
});

const deliverySchema = deliveryFactsSchema.extend({
  purchases: z.array(purchaseFactSchema.extend({ at: timestampSchema })),
});

const inputSchema = createRowSchema({
  endpoint: endpointSchema,
  state: stateSchema,
  windowSums: sumsSchema.nullable(),
  last24h: scoreInputsSchema.shape.last24h,
  changes: z.array(changeSchema),
  payToVariation: payToVariationSchema
    .extend({
      since: timestampSchema,
      lastChangedAt: timestampSchema,
      /** Payment terms before the first of the changes. */
      before: changedTermsSchema,
      /** Payment terms after the last of the changes. */
      after: changedTermsSchema,
      /** True if the last of the changes led to another wallet than before the first change. */
      hasMoved: z.boolean(),
    })
    .nullable(),
  delivery: deliverySchema.nullable(),
  revision: z.number().int(),
}).transform(({ windowSums: sums, ...input }) => ({ ...input, sums }));

/** Stored data from which the score of one endpoint is computed. Times are milliseconds since the epoch. */
export type StoredScoringInput = z.infer<typeof inputSchema>;

/** An endpoint whose stored data does not match the schema. */
export interface UnreadableInput {
  readonly endpointId: string;
  /** Reason for the log. */
  readonly reason: string;
}

/**
 * Returns the stored data from which scores are computed; deleted endpoints are left out. Each row is parsed
 * separately, so one unreadable row does not block the other rows.
 */
export async function readScoringInputs(
  db: Db,
  query: { readonly now: number; readonly endpointIds: readonly string[] },
): Promise<{
  readonly inputs: readonly StoredScoringInput[];
  readonly unreadable: readonly UnreadableInput[];
}> {
  const parameters = { ...query, now: formatTimestamp(query.now) };
  const [response, deliveries] = await Promise.all([
    call(db, 'scoring_inputs', parameters),
    call(db, 'delivery_facts', parameters),
  ]);
  const factsById = new Map(deliveries.map(({ endpoint_id, facts }) => [endpoint_id, facts]));
  const inputs: StoredScoringInput[] = [];
  const unreadable: UnreadableInput[] = [];
  for (const row of response) {
    const { data, error } = inputSchema.safeParse({
      ...row,
      delivery: factsById.get(row.endpoint_id) ?? null,
    });
    if (error === undefined) inputs.push(data);
    else unreadable.push({ endpointId: row.endpoint_id, reason: z.prettifyError(error) });
  }
  return { inputs, unreadable };
}

export interface SnapshotRow {
  readonly snapshot: Omit<Snapshot, 'computedAt' | 'contentChangedAt' | 'betterAlternatives'>;
  /** Text of the endpoint for the search by embedding; null if no words describe what the endpoint does. */
  readonly search: {
    readonly text: string;
    readonly textHash: string;
    /** True if the text contains a description. */
    readonly described: boolean;
  } | null;
  readonly public: boolean;
  readonly contentHash: string;
  readonly detail: {
    readonly scoringVersion: string;
    readonly inputs: unknown;
    /**
     * Figures for the report that the scoring formula does not use. `facts.alerts` lists the kinds of ecosystem events
     * that apply to the endpoint. A kind that the previous score did not have becomes an event.
     */
    readonly facts: unknown;
  };
  /** Revision of the stored data from which the score was computed. */
  readonly revision: number;
}

/**
 * Stores snapshots. Returns the ids of the endpoints whose visible content changed.
 * @throws StoreError with the error code of the database when the database refuses a snapshot. Then no snapshot is
 * stored.
 */
export async function saveSnapshots(
  db: Db,
  now: number,
  rows: readonly SnapshotRow[],
): Promise<readonly string[]> {
  const saved = await call(db, 'save_snapshots', {
    now: formatTimestamp(now),
    rows: rows.map(({ snapshot, search, contentHash, detail, revision, ...row }) => ({
      snapshot: {
        ...toRow(snapshot),
        public: row.public,
        content_hash: contentHash,
        text_hash: search?.textHash ?? null,
        described: search?.described ?? false,
      },
      detail,
      search: search && { text_hash: search.textHash, text: search.text },
      revision,
    })),
  });
  return saved.filter((row) => row.content_changed).map((row) => row.endpoint_id);
}
