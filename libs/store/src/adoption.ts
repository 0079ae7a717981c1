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

const outcomeSchema = z.enum(['adopted', 'held', 'known', 'full']);
const holdSchema = z.enum(['held', 'kept', 'gone']);

/**
 * Takes an endpoint into the catalog together with its first observation: listed and scheduled, waiting for its score.
 * Of several that adopt the same one at once the first does.
 *
 * @returns `adopted`; `held` where somebody else did a moment ago, see `holdAdoption`; `known` where it is there already, or its id is another one's; `full` where its host has had its
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

/**
 * Makes one more payment depend on an adoption that is so recent that it may be undone. Each that does either settles or
 * is taken back by `undoAdoption`.
 *
 * @returns `held`; `kept` where nobody can undo it any more, or a directory brought the endpoint; `gone` where it was undone
 */
export async function holdAdoption(
  db: Db,
  endpointId: string,
  now: number,
): Promise<z.infer<typeof holdSchema>> {
  const answer = await db.rpc('hold_adoption', { p_endpoint_id: endpointId, p_now: isoTime(now) });
  return holdSchema.parse(unwrap('hold an adoption', answer));
}

/**
 * Takes one payment back that an adoption depends on; with the last one the endpoint and whatever was seen of it go, unless
 * somebody listed or watches it meanwhile.
 *
 * @returns whether it is gone
 */
export async function undoAdoption(db: Db, endpointId: string, now: number): Promise<boolean> {
  const answer = await db.rpc('undo_adoption', { p_endpoint_id: endpointId, p_now: isoTime(now) });
  return unwrap('undo an adoption', answer);
}
