import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { toJson } from '../client/json.ts';
import {
  storeChallenges,
  toObservationRow,
  type Observation,
  type StoredChallenge,
} from '../probing/observations.ts';
import { reportSourceSchema } from './report-sources.ts';
import { formatTimestamp } from '../client/timestamps.ts';

const subjectSchema = z.object({
  /** Null if the endpoint is unknown. */
  endpoint: z
    .object({
      resource: z.string(),
      host: z.string(),
      /** Null for a template without example values. */
      probeUrl: z.string().nullable(),
      templated: z.boolean(),
      /** Removed from public view on request. */
      removed: z.boolean(),
      declaredMethod: z.string().nullable(),
      challengedMethod: z.string().nullable(),
    })
    .nullable(),
  /** Null before its first score. */
  source: reportSourceSchema.nullable(),
  /** Number of endpoints of the host that were adopted within a day. */
  adoptions: z.number().int(),
});

/** Stored data of an endpoint for a report request. */
export type ReportSubject = z.infer<typeof subjectSchema>;

/** Returns the data for a report request, and the number of recent adoptions of the host, in one call. */
export async function readReportSubject(
  db: Db,
  { endpointId, host, now }: { readonly endpointId: string; readonly host: string; readonly now: number },
): Promise<ReportSubject> {
  const response = await db.rpc('report_subject', {
    p_endpoint_id: endpointId,
    p_host: host,
    p_now: formatTimestamp(now),
  });
  return subjectSchema.parse(unwrap('read the subject of a report', response));
}

/** An observation outside the schedule, and its challenge. */
export interface LiveObservation {
  readonly observation: Observation;
  readonly challenge: StoredChallenge | null;
}

/**
 * Records the live probe of a report if its result differs from the last observation. It is not counted in statistics.
 *
 * @returns True if it was recorded.
 * @throws StoreError when the database refuses the call, with its error code.
 */
export async function recordLiveProbe(
  db: Db,
  now: number,
  { observation, challenge }: LiveObservation,
): Promise<boolean> {
  const at = formatTimestamp(now);
  const response = await db.rpc('record_live_probe', {
    p_now: at,
    p_row: toJson(toObservationRow(observation)),
  });
  const [result] = unwrap('record a live probe', response);
  if (result === undefined) return false;
  await storeMissingChallenge(db, at, { missing: result.missing, challenge });
  return result.recorded;
}

/** Stores the challenge of an observation if it is missing. */
export async function storeMissingChallenge(
  db: Db,
  at: string,
  { missing, challenge }: { readonly missing: readonly string[]; readonly challenge: StoredChallenge | null },
): Promise<void> {
  if (challenge !== null && missing.includes(challenge.hash)) await storeChallenges(db, at, [challenge]);
}
