import { z } from 'zod';
import { toJson } from './json.ts';
import { unwrap, type Db } from './client.ts';
import { payOnSchema, type Snapshot } from './snapshot.ts';
import { isoTime, timeSchema } from './time.ts';

const version = z.union([z.literal(1), z.literal(2)]).nullable();

export const termsSchema = z.object({
  version,
  options: z.array(payOnSchema),
  falseUsdc: z.boolean(),
  description: z.string().nullable(),
  resourceInfoMissing: z.boolean(),
  headerBodyMismatch: z.boolean(),
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
  listedOptions: z.array(payOnSchema),
  protocolVersion: version,
  listingStatus: z.enum(['listed', 'delisted']),
  firstSeenAt: timeSchema,
  delistedAt: timeSchema.nullable(),
  removed: z.boolean(),
  directories: z.array(z.string()),
});

const stateSchema = z.object({
  method: z.string().nullable(),
  lastProbedAt: timeSchema.nullable(),
  lastCountedAt: timeSchema.nullable(),
  downSince: timeSchema.nullable(),
  watchedSince: timeSchema.nullable(),
  lastChallengedAt: timeSchema.nullable(),
  lastPayableAt: timeSchema.nullable(),
  lastFreeAt: timeSchema.nullable(),
  terms: termsSchema.nullable(),
  termsAt: timeSchema.nullable(),
  /** Of the latest challenge; null before the first. */
  challengeHash: z.string().nullable(),
  /** The verdict on its latest challenge. */
  compliance: z.enum(['pass', 'warnings', 'errors', 'unpayable']).nullable(),
  /** Listed endpoints of other hosts that are paid at one of its wallets. */
  payToSharedWith: z.number().int(),
});

const sumsSchema = z.object({
  probes: z.number(),
  slotsDue: z.number(),
  slotsProbed: z.number(),
  dueSeconds: z.number(),
  scored: z.number(),
  up: z.number(),
  excluded: z.number(),
  blocked: z.number(),
  redirected: z.number(),
  free: z.number(),
  pass: z.number(),
  warnings: z.number(),
  errors: z.number(),
  unpayable: z.number(),
  latencyN: z.number(),
  latencySumMs: z.number(),
  latencyHistogram: z.array(z.number()).nullable(),
  medianPriceUsd: z.string().nullable(),
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
});

const changeSchema = z.object({
  kind: z.enum(['price_change', 'payto_change', 'asset_network_change']),
  at: timeSchema,
});

const inputSchema = z
  .object({
    endpoint: endpointSchema,
    state: stateSchema,
    window_sums: sumsSchema.nullable(),
    changes: z.array(changeSchema),
    revision: z.number().int(),
  })
  .transform(({ window_sums, ...rest }) => ({
    ...rest,
    sums: window_sums,
  }));

/** What the score of one endpoint is computed from, as stored. Times are milliseconds since the epoch. */
export type StoredScoringInput = z.infer<typeof inputSchema>;

/** An endpoint of which something stored is not as the schema has it. */
export interface UnreadableInput {
  readonly endpointId: string;
  /** What is wrong with it, for the log. */
  readonly reason: string;
}

/**
 * What endpoints are scored from; one that was deleted meanwhile is left out. Each is parsed by itself, so that one that
 * cannot be read keeps no other from its score.
 */
export async function readScoringInputs(
  db: Db,
  query: { readonly now: number; readonly endpointIds: readonly string[] },
): Promise<{
  readonly inputs: readonly StoredScoringInput[];
  readonly unreadable: readonly UnreadableInput[];
}> {
  const answer = await db.rpc('scoring_inputs', {
    p_now: isoTime(query.now),
    p_endpoint_ids: [...query.endpointIds],
  });
  const inputs: StoredScoringInput[] = [];
  const unreadable: UnreadableInput[] = [];
  for (const row of unwrap('read scoring inputs', answer)) {
    const { data, error } = inputSchema.safeParse(row);
    if (error === undefined) inputs.push(data);
    else unreadable.push({ endpointId: row.endpoint_id, reason: z.prettifyError(error) });
  }
  return { inputs, unreadable };
}

export interface SnapshotRow {
  readonly snapshot: Omit<Snapshot, 'computedAt' | 'contentChangedAt'>;
  readonly public: boolean;
  readonly contentHash: string;
  readonly detail: {
    readonly scoringVersion: string;
    readonly inputs: unknown;
    /** Figures of the report that the formula does not read. */
    readonly facts: unknown;
  };
  /** `revision` of the input it was computed from. */
  readonly revision: number;
}

/**
 * Stores snapshots; returns the ids whose visible content is new.
 * @throws StoreError when the database refuses any of them, with the code of the refusal; none is stored then.
 */
export async function saveSnapshots(
  db: Db,
  now: number,
  rows: readonly SnapshotRow[],
): Promise<readonly string[]> {
  const answer = await db.rpc('save_snapshots', {
    p_now: isoTime(now),
    p_rows: toJson(
      rows.map((row) => ({
        snapshot: { ...columns(row.snapshot), public: row.public, content_hash: row.contentHash },
        detail: row.detail,
        revision: row.revision,
      })),
    ),
  });
  return unwrap('save snapshots', answer)
    .filter((row) => row.content_changed)
    .map((row) => row.endpoint_id);
}

function columns(snapshot: SnapshotRow['snapshot']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(snapshot).map(([name, value]) => [
      name.replace(/30d$/, '_30d').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
