import type { Server } from 'node:http';
import { z } from 'zod';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import {
  createJsonServer,
  respondError,
  respondJson,
  type JsonRequest,
  type JsonServerResponse,
} from '../http/json-server.ts';
import { LOOPBACK } from '../http/loopback.ts';
import { parseJson } from '../parsing.ts';
import type { Agents } from '../payments/agents.ts';
import type { BehaviourKind } from '../scenario/scenario-schema.ts';
import { getStateAt } from '../scenario/timeline.ts';
import { createEndpointChanges } from './changes.ts';
import type { Clock } from './clock.ts';

/**
 * Name resolution of the simulated hosts at a simulated time. Probes resolve host names with this zone instead of DNS.
 */
export interface Zone {
  /** Parent domain of all simulated hosts. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Host names that do not resolve at this time. */
  readonly unresolvable: readonly string[];
  /** Ports of the hosts that do not use `port` at this time, by host name. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

export interface ZonePorts {
  readonly tlsPort: number;
  readonly refusingPort: number;
}

function findHosts(kind: BehaviourKind, endpoints: readonly SimulatedEndpoint[], at: number): string[] {
  return endpoints
    .filter((endpoint) => getStateAt(endpoint.timeline, at).behaviour.kind === kind)
    .map((endpoint) => endpoint.host);
}

/** Creates the zone at the simulated time `at`, in milliseconds since 1970. */
function createZone(endpoints: readonly SimulatedEndpoint[], at: number, ports: ZonePorts): Zone {
  return {
    suffix: 'sandbox.test',
    address: LOOPBACK,
    port: ports.tlsPort,
    unresolvable: findHosts('dns-gone', endpoints, at),
    overrides: Object.fromEntries(
      findHosts('dead', endpoints, at).map((host) => [host, { port: ports.refusingPort }] as const),
    ),
  };
}

export interface ControlOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly clock: Clock;
  readonly ports: ZonePorts;
  /** Agents that pay endpoints; null when the sandbox has no chain. */
  readonly agents: Pick<Agents, 'followClock' | 'paidThrough'> | null;
}

const clockSchema = z.strictObject({ at: z.iso.datetime({ offset: true }).nullable() });

function createCurrentZone({ endpoints, clock, ports }: ControlOptions) {
  return createZone(endpoints, clock.now(), ports);
}

function respondClock(options: ControlOptions): JsonServerResponse {
  const frozenAt = options.clock.frozenAt();
  return respondJson(200, {
    at: frozenAt === null ? null : new Date(frozenAt).toISOString(),
    zone: createCurrentZone(options),
  });
}

function setClock(options: ControlOptions, { mediaType, body }: JsonRequest): JsonServerResponse {
  if (mediaType !== 'application/json') return respondError(415, 'the body must be application/json');
  const requested = clockSchema.safeParse(parseJson(body));
  if (!requested.success)
    return respondError(400, 'the body must be {"at": <ISO 8601 time with a time zone, or null>}');
  const at = requested.data.at === null ? null : Date.parse(requested.data.at);
  options.clock.set(at);
  options.agents?.followClock(at);
  return respondClock(options);
}

/**
 * Responds with the simulated time up to which the agents have made their payments. This time can be before the time of
 * the clock. It is null when the sandbox has no chain.
 */
function respondAgents({ agents }: ControlOptions): JsonServerResponse {
  return respondJson(200, {
    paidThrough: agents === null ? null : new Date(agents.paidThrough()).toISOString(),
  });
}

/**
 * Responds with the actual state of each endpoint at the simulated time. Tests can compare probe results with these
 * states.
 */
function respondScenario({ endpoints, clock }: ControlOptions): JsonServerResponse {
  return respondJson(200, {
    endpoints: endpoints.map(({ definition, timeline }) => {
      const { behaviour, listed, priceUsd, wallet, tokens } = getStateAt(timeline, clock.now());
      const { name, url, method, protocol, story } = definition;
      return {
        name,
        url,
        method,
        protocol,
        story,
        kind: behaviour.kind,
        behaviour,
        listed,
        priceUsd,
        wallet,
        tokens,
      };
    }),
  });
}

/**
 * Creates the control server with the routes `/clock` (GET and PUT), `/changes` (PUT and DELETE), and `/zone`, `/agents`
 * and `/scenario` (GET).
 */
export function createControlServer(options: ControlOptions): Server {
  const changes = createEndpointChanges(options.endpoints, options.clock);
  return createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'PUT /clock':
        return setClock(options, request);
      case 'GET /clock':
        return respondClock(options);
      case 'PUT /changes':
        return changes.add(request);
      case 'DELETE /changes':
        return changes.remove(request);
      case 'GET /zone':
        return respondJson(200, createCurrentZone(options));
      case 'GET /agents':
        return respondAgents(options);
      case 'GET /scenario':
        return respondScenario(options);
      default:
        return respondError(404, 'not found');
    }
  });
}
