import { createChallengeResponse } from '../challenges/challenge-response.ts';
import type { ChallengeContext } from '../challenges/challenge.ts';
import { parseTemplateParameters } from '../scenario/path-template.ts';
import type { EndpointDefinition, Scenario } from '../scenario/scenario-schema.ts';
import { deriveRandomKey, drawRandom } from '../scenario/seeded-values.ts';
import {
  changeTimeline,
  buildTimeline,
  type ChangesFrom,
  type EndpointState,
  type Timeline,
} from '../scenario/timeline.ts';
import {
  createBotPageResponse,
  createJsonResponse,
  createTextResponse,
  createServerErrorResponse,
  type HttpResponse,
} from '../http/responses.ts';

/** Item that a request names in the path. Used for an endpoint with a path template. */
export interface RequestedItem {
  /** Requested path, without its query. */
  readonly path: string;
  /** Values of the path parameters, joined by "/"; "" for a path without parameters. */
  readonly id: string;
}

/** An endpoint of the scenario, simulated with one seed and one epoch. */
export interface SimulatedEndpoint {
  readonly definition: EndpointDefinition;
  readonly host: string;
  /** URL path under which the discovery directory lists the endpoint. It can be a path template. */
  readonly path: string;
  readonly isTemplated: boolean;
  /**
   * States by simulated time. {@link changeFrom} replaces the timeline, so read this member again after each change.
   */
  readonly timeline: Timeline;
  /** Applies changes to the timeline of the scenario; see {@link changeTimeline}. */
  readonly changeFrom: (changes: ChangesFrom) => void;
  readonly randomKey: number;
  /** Creates the response to an unpaid request while the endpoint has the given state. */
  readonly createResponse: (state: EndpointState, item: RequestedItem) => HttpResponse;
  /**
   * Returns the values for the endpoint's challenge in the given state. Without an item, the price and the URL are
   * those of the directory listing.
   */
  readonly createChallengeContext: (state: EndpointState, item?: RequestedItem) => ChallengeContext;
  /**
   * Returns the CAIP-2 ids of the networks that the endpoint accepts in the given state. The order is that of the
   * challenge.
   */
  readonly listNetworks: (state: EndpointState) => string[];
}

export interface SimulationOptions {
  readonly scenario: Scenario;
  readonly seed: string;
  /** Start of the simulated time, in milliseconds since 1970. */
  readonly epoch: number;
}

function createBehaviourResponse(context: ChallengeContext): HttpResponse {
  const { behaviour } = context.state;
  switch (behaviour.kind) {
    case 'free':
      return createJsonResponse(200, context.endpoint.output);
    case 'server-error':
      return createServerErrorResponse(behaviour.status);
    case 'gone':
      return createJsonResponse(behaviour.status, {
        error: behaviour.status === 410 ? 'This API has been retired' : 'Not Found',
      });
    case 'blocked':
      return behaviour.by === 'bot-page'
        ? createBotPageResponse()
        : createJsonResponse(429, { error: 'Too Many Requests' }, ['Retry-After', '120']);
    case 'redirect':
      return createTextResponse(301, {
        type: 'text/plain; charset=utf-8',
        text: 'Moved Permanently',
        headers: ['Location', behaviour.location],
      });
    default:
      return createChallengeResponse(context);
  }
}

/**
 * Caches the response for each state of the endpoint. The response in a state never changes, and cached responses keep
 * requests cheap.
 */
function cacheByState(create: (state: EndpointState) => HttpResponse) {
  const responses = new WeakMap<EndpointState, HttpResponse>();
  return (state: EndpointState): HttpResponse => {
    const cached = responses.get(state);
    if (cached) return cached;
    const response = create(state);
    responses.set(state, response);
    return response;
  };
}

function splitUrl(definition: EndpointDefinition): { host: string; path: string } {
  const [host = '', ...segments] = definition.url.replace('https://', '').split('/');
  return { host, path: `/${segments.join('/')}` };
}

function createSimulatedEndpoint(
  definition: EndpointDefinition,
  { scenario: { tokens }, seed, epoch }: SimulationOptions,
): SimulatedEndpoint {
  const randomKey = deriveRandomKey(seed, definition.name);
  const { host, path } = splitUrl(definition);
  const isTemplated = parseTemplateParameters(path).length > 0;
  const scenario = buildTimeline(definition, epoch);
  let timeline = scenario;

  const createPriceFactor = ({ id }: RequestedItem): number =>
    1 + drawRandom(randomKey, 'item-price', deriveRandomKey(seed, id)) * (definition.priceSpread - 1);
  const createChallengeContext: SimulatedEndpoint['createChallengeContext'] = (state, item) => ({
    seed,
    tokens,
    endpoint: definition,
    state,
    priceFactor: isTemplated && item ? createPriceFactor(item) : 1,
    resourceUrl: isTemplated && item ? `https://${host}${item.path}` : definition.url,
  });
  const createResponse: SimulatedEndpoint['createResponse'] = (state, item) =>
    createBehaviourResponse(createChallengeContext(state, item));
  return {
    definition,
    host,
    path,
    isTemplated,
    randomKey,
    createChallengeContext,
    get timeline() {
      return timeline;
    },
    changeFrom: (changes) => {
      timeline = changeTimeline({ timeline, scenario }, changes, { definition, tokens });
    },
    createResponse: isTemplated
      ? createResponse
      : cacheByState((state) => createResponse(state, { path, id: '' })),
    listNetworks: (state) => state.tokens.flatMap((name) => tokens[name]?.network ?? []),
  };
}

export function createSimulatedEndpoints(simulation: SimulationOptions): SimulatedEndpoint[] {
  return simulation.scenario.endpoints.map((definition) => createSimulatedEndpoint(definition, simulation));
}
