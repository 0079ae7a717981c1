import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import type { ListedEndpoint } from './discovery.ts';
import { toJson } from './json.ts';
import { keepMissing, type LiveObservation } from './live.ts';
import { toObservationRow } from './observations.ts';
import { isoTime } from './time.ts';

/** An endpoint that no directory lists, as it is taken into the catalog. */
export type AdoptedEndpoint = Pick<
  ListedEndpoint,
  'id' | 'resource' | 'host' | 'slug' | 'serviceName' | 'description' | 'intervalSeconds' | 'offsetSeconds'
>;

export interface Adoption extends LiveObservation {
  readonly endpoint: AdoptedEndpoint;
  /** Endpoints of one host that are adopted within a day at most. */
  readonly hostLimit: number;
}

const outcomeSchema = z.enum(['adopted', 'known', 'full']);

/**
 * Takes an endpoint into the catalog together with its first observation: listed and scheduled, waiting for its score.
 * Of several that adopt the same one at once the first does.
 *
 * @returns `adopted`; `known` where it is there already, or its id is another one's; `full` where its host has had its
 * share of the day. Only with `adopted` anything is stored.
 * @throws StoreError when the database refuses it, with the code of the refusal
 */
export async function adoptEndpoint(
  db: Db,
  now: number,
  { endpoint, observation, challenge, hostLimit }: Adoption,
): Promise<z.infer<typeof outcomeSchema>> {
  const at = isoTime(now);
  const answer = await db.rpc('adopt_endpoint', {
    p_now: at,
    p_endpoint: toJson(endpoint),
    p_row: toJson(toObservationRow(observation)),
    p_host_limit: hostLimit,
  });
  const [{ outcome, missing }] = z
    .tuple([z.object({ outcome: outcomeSchema, missing: z.array(z.string()) })])
    .parse(unwrap('adopt an endpoint', answer));
  await keepMissing(db, at, { missing, challenge });
  return outcome;
}
