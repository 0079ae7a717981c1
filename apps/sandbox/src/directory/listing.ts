import { createBazaarExtension } from '../challenges/bazaar-extension.ts';
import { createAcceptsV1, createAcceptsV2 } from '../challenges/challenge.ts';
import type { SimulatedEndpoint, SimulationOptions } from '../endpoints/simulated-endpoint.ts';
import type { JsonObject } from '../parsing.ts';
import { getStateAt, type EndpointState, type Timeline } from '../scenario/timeline.ts';

function hasSameListing(a: EndpointState, b: EndpointState): boolean {
  return (
    a.priceUsd === b.priceUsd &&
    a.wallet === b.wallet &&
    a.listed === b.listed &&
    a.description === b.description &&
    a.tokens.join() === b.tokens.join()
  );
}

/**
 * Returns the simulated time at which a listed property last changed. Changes of the endpoint's behaviour do not count.
 */
function findLastChange(timeline: Timeline, at: number): number {
  let last = timeline[0];
  for (const state of timeline.filter(({ from }) => from <= at))
    if (!hasSameListing(state, last)) last = state;
  return last.from;
}

function createAccepts(
  { definition, timeline }: SimulatedEndpoint,
  at: number,
  { scenario, seed }: SimulationOptions,
): JsonObject[] {
  const context = {
    seed,
    tokens: scenario.tokens,
    endpoint: definition,
    state: getStateAt(timeline, at),
    priceFactor: 1,
    resourceUrl: definition.url,
  };
  return definition.protocol === 'v1' ? createAcceptsV1(context) : createAcceptsV2(context);
}

function createV2Members({ definition, timeline }: SimulatedEndpoint, at: number): JsonObject {
  return {
    description: getStateAt(timeline, at).description,
    serviceName: definition.service,
    tags: definition.tags,
    ...(definition.discovery ? { extensions: { bazaar: createBazaarExtension(definition) } } : {}),
  };
}

/**
 * Creates the directory item of an endpoint at a simulated time (milliseconds since 1970). A v1 item repeats
 * description and schemas in each `accepts` entry; a v2 item has them at the top level.
 * @returns the item, or null while the endpoint is not listed
 */
export function createListing(
  endpoint: SimulatedEndpoint,
  at: number,
  simulation: SimulationOptions,
): JsonObject | null {
  const { definition, timeline } = endpoint;
  if (!getStateAt(timeline, at).listed) return null;
  return {
    resource: definition.url,
    type: 'http',
    x402Version: definition.protocol === 'v1' ? 1 : 2,
    accepts: createAccepts(endpoint, at, simulation),
    lastUpdated: new Date(findLastChange(timeline, at)).toISOString(),
    ...(definition.protocol === 'v1' ? {} : createV2Members(endpoint, at)),
  };
}
