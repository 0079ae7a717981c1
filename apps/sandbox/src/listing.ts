import { bazaarExtension } from './bazaar.ts';
import { acceptsV1, acceptsV2 } from './challenge.ts';
import type { JsonObject } from './json.ts';
import type { Resident, WorldOptions } from './resident.ts';
import { stateAt } from './timeline.ts';
import type { EndpointState, Timeline } from './timeline.ts';

/** Since when the endpoint has asked for what it asks for now; how it behaves is not the directory's business. */
const termsSince = (timeline: Timeline, at: number): number => {
  let since = timeline[0];
  for (const state of timeline.filter(({ from }) => from <= at)) if (!sameTerms(state, since)) since = state;
  return since.from;
};

const sameTerms = (a: EndpointState, b: EndpointState): boolean =>
  a.priceUsd === b.priceUsd &&
  a.wallet === b.wallet &&
  a.listed === b.listed &&
  a.description === b.description &&
  a.tokens.join() === b.tokens.join();

const acceptsOf = (resident: Resident, at: number, { scenario, seed }: WorldOptions): JsonObject[] => {
  const { endpoint, timeline } = resident;
  const state = stateAt(timeline, at);
  const context = {
    seed,
    tokens: scenario.tokens,
    endpoint,
    state,
    priceFactor: 1,
    resourceUrl: endpoint.url,
  };
  return endpoint.protocol === 'v1' ? acceptsV1(context) : acceptsV2(context);
};

const v2Members = (resident: Resident, at: number): JsonObject => {
  const { endpoint, timeline } = resident;
  return {
    description: stateAt(timeline, at).description,
    serviceName: endpoint.service,
    tags: endpoint.tags,
    ...(endpoint.discovery ? { extensions: { bazaar: bazaarExtension(endpoint) } } : {}),
  };
};

/**
 * An endpoint's item in the directory at a world time (milliseconds since 1970), in the shape of its protocol
 * version: v1 keeps description and schemas in each offer, v2 beside them.
 * @returns null while it is not listed
 */
export const listingAt = (resident: Resident, at: number, world: WorldOptions): JsonObject | null => {
  const { endpoint, timeline } = resident;
  const state = stateAt(timeline, at);
  if (!state.listed) return null;
  return {
    resource: endpoint.url,
    type: 'http',
    x402Version: endpoint.protocol === 'v1' ? 1 : 2,
    accepts: acceptsOf(resident, at, world),
    lastUpdated: new Date(termsSince(timeline, at)).toISOString(),
    ...(endpoint.protocol === 'v1' ? {} : v2Members(resident, at)),
  };
};
