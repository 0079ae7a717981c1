import type { Behaviour, BehaviourKind, EndpointDefinition } from '../scenario/scenario-schema.ts';
import { drawRandom } from '../scenario/seeded-values.ts';
import { getStateAt } from '../scenario/timeline.ts';
import {
  createMethodNotAllowedResponse,
  createServerErrorResponse,
  type HttpResponse,
} from '../http/responses.ts';
import type { RequestedItem, SimulatedEndpoint } from './simulated-endpoint.ts';

/**
 * Reaction to a request: a response, a connection reset, or no reaction (`hang`). A response and a reset come after a
 * delay.
 */
export type PlannedResponse =
  | {
      readonly transport: 'response';
      readonly response: HttpResponse;
      readonly delayMs: number;
      /** Time in which the body is sent, in milliseconds; 0 when the whole body is sent in one piece. */
      readonly dripMs: number;
    }
  | { readonly transport: 'reset'; readonly delayMs: number }
  | { readonly transport: 'hang' };

export interface EndpointRequest extends RequestedItem {
  readonly method: string;
}

const SECOND_MS = 1_000;
/**
 * Behaviours whose response does not depend on the request method. All other behaviours respond with 405 to a wrong
 * method.
 */
const METHOD_INDEPENDENT: ReadonlySet<BehaviourKind> = new Set([
  'server-error',
  'gone',
  'blocked',
  'redirect',
]);
const FLAKY_RESPONSE = createServerErrorResponse(500);
const METHOD_NOT_ALLOWED: Readonly<Record<EndpointDefinition['method'], HttpResponse>> = {
  GET: createMethodNotAllowedResponse('GET'),
  POST: createMethodNotAllowedResponse('POST'),
};

function acceptsMethod({ method }: EndpointDefinition, requested: string): boolean {
  return requested === method || (requested === 'HEAD' && method === 'GET');
}

/**
 * Draws a random latency, in milliseconds. Squaring the uniform random number makes most latencies short and a few
 * long.
 */
function drawLatency(endpoint: SimulatedEndpoint, behaviour: Behaviour, second: number): number {
  const [min, max] = behaviour.kind === 'slow' ? behaviour.latencyMs : endpoint.definition.latencyMs;
  return Math.round(min + (max - min) * drawRandom(endpoint.randomKey, 'latency', second) ** 2);
}

function drawFailure(
  endpoint: SimulatedEndpoint,
  behaviour: Behaviour,
  second: number,
): 'server-error' | 'reset' | null {
  if (behaviour.kind !== 'flaky') return null;
  if (drawRandom(endpoint.randomKey, 'failure', second) >= behaviour.rate) return null;
  if (behaviour.failure !== 'mixed') return behaviour.failure;
  return drawRandom(endpoint.randomKey, 'failure-mode', second) < 0.5 ? 'server-error' : 'reset';
}

/**
 * Determines the response to a request. The response depends only on the seed, the epoch, the endpoint, the request and
 * the simulated time, so it is reproducible. Random numbers are drawn once per simulated second.
 * @param at simulated time, in milliseconds since 1970
 */
export function planResponse(
  endpoint: SimulatedEndpoint,
  request: EndpointRequest,
  at: number,
): PlannedResponse {
  const state = getStateAt(endpoint.timeline, at);
  const { behaviour } = state;
  if (behaviour.kind === 'hanging') return { transport: 'hang' };

  const second = Math.floor(at / SECOND_MS);
  const delayMs = drawLatency(endpoint, behaviour, second);
  const failure = drawFailure(endpoint, behaviour, second);
  if (failure === 'reset') return { transport: 'reset', delayMs };
  if (failure === 'server-error')
    return { transport: 'response', response: FLAKY_RESPONSE, delayMs, dripMs: 0 };

  if (!METHOD_INDEPENDENT.has(behaviour.kind) && !acceptsMethod(endpoint.definition, request.method)) {
    const response = METHOD_NOT_ALLOWED[endpoint.definition.method];
    return { transport: 'response', response, delayMs, dripMs: 0 };
  }
  const dripMs = behaviour.kind === 'slow-drip' ? behaviour.durationMs : 0;
  return {
    transport: 'response',
    response: endpoint.createResponse(state, request),
    delayMs,
    dripMs,
  };
}
