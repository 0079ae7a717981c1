import { z } from 'zod';
import { toJson } from './json.ts';
import { unwrap, type Db } from './client.ts';
import { isoTime, timeSchema } from './time.ts';
import type { PayOn } from './snapshot.ts';

const claimedSchema = z
  .object({
    endpoint_id: z.string(),
    slot_at: timeSchema,
    confirms: z.boolean(),
    resource: z.string(),
    probe_url: z.string(),
    host: z.string(),
    declared_method: z.string().nullable(),
    challenged_method: z.string().nullable(),
  })
  .transform((row) => ({
    endpointId: row.endpoint_id,
    slotAt: row.slot_at,
    /** A second look at a miss, outside the schedule. */
    confirms: row.confirms,
    resource: row.resource,
    probeUrl: row.probe_url,
    host: row.host,
    declaredMethod: row.declared_method,
    challengedMethod: row.challenged_method,
  }));

/** A slot that this worker holds until its lease runs out. Times are milliseconds since the epoch. */
export type ClaimedEndpoint = z.infer<typeof claimedSchema>;

/** Advertised terms of a readable challenge, keyed so that two of them can be compared. */
export interface Terms {
  readonly version: 1 | 2 | null;
  readonly options: readonly PayOn[];
  /** Amount per `network|asset`. */
  readonly prices: Readonly<Record<string, string>>;
  /** Sorted wallets per `network|asset`. */
  readonly payTo: Readonly<Record<string, readonly string[]>>;
  readonly falseUsdc: boolean;
  /** What the challenge says of its resource; null when it says nothing. */
  readonly description: string | null;
  readonly resourceInfoMissing: boolean;
  /** Header and body contradict each other on payTo, amount, network or asset. */
  readonly headerBodyMismatch: boolean;
}

export interface Observation {
  readonly endpointId: string;
  /** The claimed slot; null for a probe outside the schedule. */
  readonly slotAt: number | null;
  readonly at: number;
  readonly outcome: string;
  readonly vitality: 'up' | 'down' | 'neither';
  readonly excluded: boolean;
  readonly httpStatus: number | null;
  readonly method: string;
  readonly latencyMs: number | null;
  readonly resolveMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly processingMs: number | null;
  readonly transferMs: number | null;
  /** Histogram bucket of the latency; null when it does not count. */
  readonly bucket: number | null;
  readonly compliance: 'pass' | 'warnings' | 'errors' | 'unpayable' | null;
  readonly challengeHash: string | null;
  readonly terms: Terms | null;
  readonly amountUsd: string | null;
  readonly failure: string | null;
}

export interface StoredChallenge {
  readonly hash: string;
  readonly version: 1 | 2 | null;
  readonly challenge: unknown;
}

/** Claims due slots, those whose lease ran out first; see the SQL function for what becomes of missed slots. */
export async function claimDueEndpoints(
  db: Db,
  claim: {
    readonly owner: string;
    readonly now: number;
    readonly limit: number;
    readonly leaseSeconds: number;
    /** Claims only endpoints whose host ends with it; null for all. */
    readonly hostSuffix: string | null;
    /** Slots of one host in this claim at most; 60 when absent. */
    readonly hostLimit?: number;
    /** Pace at which one host may be claimed from, over all workers; 2 when absent. */
    readonly hostPerSecond?: number;
    /** Claims second looks at misses and nothing else. */
    readonly confirming?: boolean;
  },
): Promise<readonly ClaimedEndpoint[]> {
  const answer = await db.rpc('claim_due_endpoints', {
    p_owner: claim.owner,
    p_now: isoTime(claim.now),
    p_limit: claim.limit,
    p_lease_seconds: claim.leaseSeconds,
    ...(claim.hostSuffix === null ? {} : { p_host_suffix: claim.hostSuffix }),
    ...(claim.hostLimit === undefined ? {} : { p_host_limit: claim.hostLimit }),
    ...(claim.hostPerSecond === undefined ? {} : { p_host_per_second: claim.hostPerSecond }),
    ...(claim.confirming === undefined ? {} : { p_confirming: claim.confirming }),
  });
  return z.array(claimedSchema).parse(unwrap('claim due endpoints', answer));
}

const VITALITY = { up: 1, down: 0, neither: null } as const;

/** An observation as the functions that record it take it. */
export function toObservationRow(observation: Observation) {
  return {
    ...observation,
    slotAt: observation.slotAt === null ? null : isoTime(observation.slotAt),
    at: isoTime(observation.at),
    vitality: VITALITY[observation.vitality],
  };
}

/**
 * Records a batch in one transaction. `dropped` are rows whose lease was lost, that were there already, or that are of a
 * time after `now`. Challenges are sent after it, and of them those alone that the database asks for: nearly all were
 * stored by an earlier probe. Where that fails the batch is recorded all the same, `unkept` says how many were not
 * stored, and the next probe of the endpoint has them asked for again.
 *
 * @throws StoreError when the observations could not be recorded; then none of them is.
 */
export async function recordObservations(
  db: Db,
  worker: { readonly owner: string; readonly now: number },
  batch: { readonly observations: readonly Observation[]; readonly challenges: readonly StoredChallenge[] },
): Promise<{ recorded: number; dropped: number; changed: number; unkept: number }> {
  const rows = batch.observations.map(toObservationRow);
  const now = isoTime(worker.now);
  const answer = await db.rpc('record_observations', {
    p_owner: worker.owner,
    p_now: now,
    p_rows: toJson(rows),
  });
  const [told] = unwrap('record observations', answer);
  if (told === undefined) return { recorded: 0, dropped: batch.observations.length, changed: 0, unkept: 0 };
  const { missing, ...counts } = told;
  const asked = new Set(missing);
  const wanted = batch.challenges.filter(({ hash }) => asked.has(hash));
  const kept = wanted.length === 0 || (await keepChallenges(db, now, wanted));
  return { ...counts, unkept: kept ? 0 : wanted.length };
}

/** Whether the call that stores them succeeded. It never rejects: what they belong to is recorded already. */
export async function keepChallenges(
  db: Db,
  now: string,
  challenges: readonly StoredChallenge[],
): Promise<boolean> {
  const texts = challenges.map((known) => ({ ...known, challenge: JSON.stringify(known.challenge) }));
  const { error } = await db.rpc('keep_challenges', { p_now: now, p_challenges: toJson(texts) });
  return error === null;
}

/** Gives back the leases of a worker that is known to be gone. */
export async function releaseLeases(db: Db, owner: string): Promise<number> {
  return unwrap('release leases', await db.rpc('release_leases', { p_owner: owner }));
}

/** Has endpoints probed every five minutes, or no longer. Returns how many have a schedule. */
export async function watchEndpoints(
  db: Db,
  endpointIds: readonly string[],
  { watched, now }: { readonly watched: boolean; readonly now: number },
): Promise<number> {
  const answer = await db.rpc('watch_endpoints', {
    p_endpoint_ids: [...endpointIds],
    p_watched: watched,
    p_now: isoTime(now),
  });
  return unwrap('watch endpoints', answer);
}
