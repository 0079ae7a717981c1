import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';
import type { ListedEndpoint } from '../discovery/discovery.ts';
import { storeMissingChallenge, type LiveObservation } from './live-probes.ts';
import { toObservationRow } from '../probing/observations.ts';

/** An endpoint that is added to the catalog although no directory lists it. */
export type AdoptedEndpoint = Pick<
  ListedEndpoint,
  'id' | 'resource' | 'host' | 'slug' | 'serviceName' | 'description' | 'intervalSeconds' | 'offsetSeconds'
>;

export interface Adoption extends LiveObservation {
  readonly endpoint: AdoptedEndpoint;
  /** Maximum number of endpoints of one host that may be adopted within a day. */
  readonly hostLimit: number;
  /**
   * End of the provisional adoption, in milliseconds since the epoch. At this time, `expireAdoptions` keeps or deletes
   * the endpoint.
   */
  readonly provisionalUntil: number;
}

const outcomeSchema = z.enum(['adopted', 'known', 'full']);

/**
 * Adopts an endpoint: adds it to the catalog with its first observation, schedules its probes and queues it for
 * scoring. Of several concurrent calls for the same endpoint, only the first call adopts it.
 *
 * @returns `adopted` if the endpoint and the observation were stored; `known` if the endpoint, or another endpoint with
 * the same id, already exists; `full` if the host has reached `hostLimit`.
 * @throws StoreError with the error code of the database when the database refuses the call.
 */
export async function adoptEndpoint(
  db: Db,
  now: number,
  { endpoint, observation, challenge, hostLimit, provisionalUntil }: Adoption,
): Promise<z.infer<typeof outcomeSchema>> {
  const at = formatTimestamp(now);
  const adopted = await callForRow(db, 'adopt_endpoint', {
    now: at,
    endpoint,
    row: toObservationRow(observation),
    hostLimit,
    provisionalUntil: formatTimestamp(provisionalUntil),
  });
  const outcome = outcomeSchema.parse(adopted.outcome);
  await storeMissingChallenge(db, at, { missing: adopted.missing, challenge });
  return outcome;
}

const deletedSchema = z.object({ endpointId: z.string(), host: z.string() });
/** Endpoint that was deleted, because its adoption expired without a payment. */
export type DeletedEndpoint = z.infer<typeof deletedSchema>;

/** Times and maximum number of adoptions for one call of `expireAdoptions`. */
export interface AdoptionExpiry {
  readonly now: number;
  /** New end of provisional adoptions whose payment is not settled yet, in milliseconds since the epoch. */
  readonly extendUntil: number;
  /** Maximum number of adoptions that one call processes. */
  readonly limit: number;
}

/**
 * Decides about provisional adoptions that have reached their end time. An endpoint stays in the catalog if a payment
 * for it was settled, a directory lists it, or a subscription watches it. If its payment is still open, the adoption is
 * extended. All other endpoints are deleted with their observations.
 *
 * @returns The deleted endpoints.
 */
export async function expireAdoptions(
  db: Db,
  { limit, ...times }: AdoptionExpiry,
): Promise<readonly DeletedEndpoint[]> {
  const [now, extendUntil] = [formatTimestamp(times.now), formatTimestamp(times.extendUntil)];
  return z.array(deletedSchema).parse(await call(db, 'expire_adoptions', { now, extendUntil, limit }));
}
