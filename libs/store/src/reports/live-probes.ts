import { formatTimestamp } from '@touchstone/common';
import { scoredSourceSchema } from '@touchstone/trust';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../client/values.ts';
import {
  storeChallenges,
  toObservationRow,
  type Observation,
  type StoredChallenge,
} from '../probing/observations.ts';
import { relatedSchema } from './report-sources.ts';

const subjectSchema = z.object({
  /** Catalog data of the endpoint; null if the endpoint is unknown. */
  endpoint: z
    .object({
      resource: z.string(),
      host: z.string(),
      /** URL to probe; null for a URL template without example values for its parameters. */
      probeUrl: z.string().nullable(),
      templated: z.boolean(),
      /** True if the endpoint was removed from public view on request. */
      removed: z.boolean(),
      declaredMethod: z.string().nullable(),
      challengedMethod: z.string().nullable(),
      /** Ids of the facilitators that sent payments to the wallets of the endpoint in the last 30 days. */
      settledThrough: z.array(z.string()),
    })
    .nullable(),
  /** Stored data of the report; null before the endpoint has a score. */
  source: scoredSourceSchema.nullable(),
  /** Endpoints whose URL may be another form of the requested URL. */
  related: relatedSchema,
  /** Number of endpoints of the host that were adopted within the last day. */
  adoptions: z.number().int(),
  /** Time at which the provider of the host opted out of probing and listing, ISO 8601; null without an opt-out. */
  optedOutAt: isoTimestampSchema.nullable(),
});

/** Stored data that a report request about an endpoint needs. */
export type ReportSubject = z.infer<typeof subjectSchema>;

/** Endpoint and time of a report request. */
interface ReportRequest {
  readonly endpointId: string;
  readonly host: string;
  /** Canonical URL without its query. Related endpoints are found by this URL. */
  readonly pathUrl: string;
  readonly now: number;
  /** A provisional adoption is extended at least to this time, in milliseconds since the epoch. */
  readonly provisionalUntil: number;
}

/**
 * Returns the stored data for a report request, and the number of recent adoptions of the host, with one database call.
 * Extends a provisional adoption if it would end too early, so that the endpoint is not deleted before the report is
 * paid.
 */
export async function readReportSubject(db: Db, request: ReportRequest): Promise<ReportSubject> {
  const response = await call(db, 'report_subject', {
    ...request,
    now: formatTimestamp(request.now),
    provisionalUntil: formatTimestamp(request.provisionalUntil),
  });
  return subjectSchema.parse(response);
}

/** Observation of a probe outside the schedule, and the challenge that the probe received. */
export interface LiveObservation {
  readonly observation: Observation;
  readonly challenge: StoredChallenge | null;
}

/**
 * Records the live probe of a report request if its result differs from the last observation. Live probes are not
 * counted in statistics.
 *
 * @returns True if the live probe was recorded.
 * @throws StoreError with the error code of the database when the database refuses the call.
 */
export async function recordLiveProbe(
  db: Db,
  now: number,
  { observation, challenge }: LiveObservation,
): Promise<boolean> {
  const at = formatTimestamp(now);
  const row = toObservationRow(observation);
  const result = await callForRow(db, 'record_live_probe', { now: at, row });
  await storeMissingChallenge(db, at, { missing: result.missing, challenge });
  return result.recorded;
}

/** Stores the challenge of an observation if `missing` contains the hash of the challenge. */
export async function storeMissingChallenge(
  db: Db,
  at: string,
  { missing, challenge }: { readonly missing: readonly string[]; readonly challenge: StoredChallenge | null },
): Promise<void> {
  if (challenge !== null && missing.includes(challenge.hash)) await storeChallenges(db, at, [challenge]);
}
