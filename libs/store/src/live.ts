import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { toJson } from './json.ts';
import { keepChallenges, toObservationRow, type Observation, type StoredChallenge } from './observations.ts';
import { reportSourceSchema } from './reports.ts';
import { isoTime } from './time.ts';

const subjectSchema = z.object({
  /** Null where nobody knows it. */
  endpoint: z
    .object({
      resource: z.string(),
      host: z.string(),
      /** Null for a template without example values. */
      probeUrl: z.string().nullable(),
      templated: z.boolean(),
      /** Taken out of everything public on request. */
      removed: z.boolean(),
      declaredMethod: z.string().nullable(),
      challengedMethod: z.string().nullable(),
      /** It was adopted a moment ago, which may still be undone. */
      undecided: z.boolean(),
    })
    .nullable(),
  /** Null before its first score. */
  source: reportSourceSchema.nullable(),
  /** Endpoints of the host that were adopted within a day. */
  adoptions: z.number().int(),
});

/** What is known of an endpoint that a report is wanted on. */
export type ReportSubject = z.infer<typeof subjectSchema>;

/** What is known of an endpoint, and how many of its host were adopted within the day before `now`, in one call. */
export async function readReportSubject(
  db: Db,
  { endpointId, host, now }: { readonly endpointId: string; readonly host: string; readonly now: number },
): Promise<ReportSubject> {
  const answer = await db.rpc('report_subject', {
    p_endpoint_id: endpointId,
    p_host: host,
    p_now: isoTime(now),
  });
  return subjectSchema.parse(unwrap('read what a report is wanted on', answer));
}

/** An observation outside the schedule, and the challenge it saw. */
export interface LiveObservation {
  readonly observation: Observation;
  readonly challenge: StoredChallenge | null;
}

/**
 * Records what was seen for a report where it differs from the last observation, as a look that counts in no figure.
 *
 * @returns whether it was recorded
 * @throws StoreError when the database refuses it, with the code of the refusal
 */
export async function recordLive(
  db: Db,
  now: number,
  { observation, challenge }: LiveObservation,
): Promise<boolean> {
  const at = isoTime(now);
  const answer = await db.rpc('record_live', { p_now: at, p_row: toJson(toObservationRow(observation)) });
  const [told] = unwrap('record a live probe', answer);
  if (told === undefined) return false;
  await keepMissing(db, at, { missing: told.missing, challenge });
  return told.recorded;
}

/** Stores the challenge of an observation where it is wanted. */
export async function keepMissing(
  db: Db,
  at: string,
  { missing, challenge }: { readonly missing: readonly string[]; readonly challenge: StoredChallenge | null },
): Promise<void> {
  if (challenge !== null && missing.includes(challenge.hash)) await keepChallenges(db, at, [challenge]);
}
