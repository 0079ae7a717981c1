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
}

const outcomeSchema = z.enum(['adopted', 'held', 'known', 'full']);
const holdSchema = z.enum(['held', 'kept', 'gone']);

/**
 * Adds an endpoint to the catalog together with its first observation. It is listed, scheduled and queued for scoring.
 * Of several concurrent calls for the same endpoint, the first one adopts it.
 *
 * @returns `adopted`; `held` if another payment has just adopted it, see `holdAdoption`; `known` if it already exists or
 * another endpoint has its id; `full` if its host has reached `hostLimit`. Only `adopted` stores the observation.
 * @throws StoreError when the database refuses the call, with its error code.
 */
export async function adoptEndpoint(
  db: Db,
  now: number,
  { endpoint, observation, challenge, hostLimit }: Adoption,
): Promise<z.infer<typeof outcomeSchema>> {
  const at = formatTimestamp(now);
  const response = await db.rpc('adopt_endpoint', {
    p_now: at,
    p_endpoint: toJson(endpoint),
    p_row: toJson(toObservationRow(observation)),
    p_host_limit: hostLimit,
  });
  const [{ outcome, missing }] = z
    .tuple([z.object({ outcome: outcomeSchema, missing: z.array(z.string()) })])
    .parse(unwrap('adopt an endpoint', response));
  await storeMissingChallenge(db, at, { missing, challenge });
  return outcome;
}

/**
 * Adds a payment that depends on a recent adoption, which may still be undone. Each of these payments is either settled
 * or removed by `undoAdoption`.
 *
 * @returns `held`; `kept` if the adoption can no longer be undone, or a directory listed the endpoint; `gone` if the
 * adoption was undone.
 */
export async function holdAdoption(
  db: Db,
  endpointId: string,
  now: number,
): Promise<z.infer<typeof holdSchema>> {
  const response = await db.rpc('hold_adoption', { p_endpoint_id: endpointId, p_now: formatTimestamp(now) });
  return holdSchema.parse(unwrap('hold an adoption', response));
}

/**
 * Removes a payment that depends on an adoption. After the last one, deletes the endpoint and its observations, unless a
 * directory lists it or a subscription watches it by now.
 *
 * @returns True if the endpoint was deleted.
 */
export async function undoAdoption(db: Db, endpointId: string, now: number): Promise<boolean> {
  const response = await db.rpc('undo_adoption', { p_endpoint_id: endpointId, p_now: formatTimestamp(now) });
  return unwrap('undo an adoption', response);
}
