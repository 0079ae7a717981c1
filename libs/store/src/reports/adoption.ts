import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import type { ListedEndpoint } from '../discovery/discovery.ts';
import { toJson } from '../client/json.ts';
import { storeMissingChallenge, type LiveObservation } from './live-probes.ts';
import { toObservationRow } from '../probing/observations.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/** An endpoint without a directory listing that is added to the catalog. */
export type AdoptedEndpoint = Pick<
  ListedEndpoint,
  'id' | 'resource' | 'host' | 'slug' | 'serviceName' | 'description' | 'intervalSeconds' | 'offsetSeconds'
>;

export interface Adoption extends LiveObservation {
  readonly endpoint: AdoptedEndpoint;
  /** Maximum number of adopted endpoints of one host within a day. */
  readonly hostLimit: number;
  /** End of the provisional adoption, in milliseconds since the epoch. See `expireAdoptions`. */
  readonly provisionalUntil: number;
}

const outcomeSchema = z.enum(['adopted', 'known', 'full']);

/**
 * Adds an endpoint to the catalog together with its first observation. It is listed, scheduled and queued for scoring.
 * Of several concurrent calls for the same endpoint, the first one adopts it.
 *
 * @returns `adopted`; `known` if it already exists or another endpoint has its id; `full` if its host has reached
 * `hostLimit`. Only `adopted` stores the observation.
 * @throws StoreError when the database refuses the call, with its error code.
 */
export async function adoptEndpoint(
  db: Db,
  now: number,
  { endpoint, observation, challenge, hostLimit, provisionalUntil }: Adoption,
): Promise<z.infer<typeof outcomeSchema>> {
  const at = formatTimestamp(now);
  const response = await db.rpc('adopt_endpoint', {
    p_now: at,
    p_endpoint: toJson(endpoint),
    p_row: toJson(toObservationRow(observation)),
    p_host_limit: hostLimit,
    p_provisional_until: formatTimestamp(provisionalUntil),
  });
  const [{ outcome, missing }] = z
    .tuple([z.object({ outcome: outcomeSchema, missing: z.array(z.string()) })])
    .parse(unwrap('adopt an endpoint', response));
  await storeMissingChallenge(db, at, { missing, challenge });
  return outcome;
}

/** Limits of one call of `expireAdoptions`. */
export interface AdoptionExpiry {
  readonly now: number;
  /** New end of provisional adoptions whose payment is still open, in milliseconds since the epoch. */
  readonly extendUntil: number;
  /** Maximum number of adoptions per call. */
  readonly limit: number;
}

/**
 * Ends provisional adoptions whose time is over: an endpoint stays when a payment for it was settled, a directory lists
 * it or a subscription watches it. Otherwise it is deleted with its observations.
 *
 * @returns Ids of the deleted endpoints.
 */
export async function expireAdoptions(
  db: Db,
  { now, extendUntil, limit }: AdoptionExpiry,
): Promise<readonly string[]> {
  const response = await db.rpc('expire_adoptions', {
    p_now: formatTimestamp(now),
    p_extend_until: formatTimestamp(extendUntil),
    p_limit: limit,
  });
  return unwrap('expire adoptions', response);
}
