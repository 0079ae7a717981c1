import type { Server } from 'node:http';
import { parseJson } from '@touchstone/common';
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
import type { Agents } from '../payments/agents.ts';
import type { BehaviourKind } from '../scenario/scenario-schema.ts';
import { CHANGES, getStateAt, type Change } from '../scenario/timeline.ts';
import type { Clock } from '../scenario/clock.ts';

/** Name resolution of the simulated hosts at a simulated time. Probes use this zone instead of DNS. */
interface Zone {
  /** Parent domain of all simulated hosts. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Host names that do not resolve at this time. */
  readonly unresolvable: readonly string[];
  /** Ports of the hosts that use a port other than `port` at this time, by host name. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

function findHosts(kind: BehaviourKind, endpoints: readonly SimulatedEndpoint[], at: number): string[] {
  return endpoints
    .filter((endpoint) => getStateAt(endpoint.timeline, at).behaviour.kind === kind)
    .map((endpoint) => endpoint.host);
}

function createZone({ endpoints, clock, ports }: ControlOptions): Zone {
  const at = clock.now();
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
  readonly ports: { readonly tlsPort: number; readonly refusingPort: number };
  /** Agents that pay endpoints; null when the sandbox has no chain. */
  readonly agents: Pick<Agents, 'followClock' | 'paidThrough'> | null;
  /** Texts of the files that the simulated hosts serve, by host and path. */
  readonly files: Map<string, string>;
}

const clockSchema = z.strictObject({ at: z.iso.datetime({ offset: true }).nullable() });

function respondClock(options: ControlOptions): JsonServerResponse {
  const frozenAt = options.clock.frozenAt();
  return respondJson(200, {
    at: frozenAt === null ? null : new Date(frozenAt).toISOString(),
    zone: createZone(options),
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
 * Responds with the simulated time up to which the agents (simulated buyers) have made their payments. This time can be
 * earlier than the time of the clock. The time is null when the sandbox has no chain.
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

const changeSchema = z.strictObject({ change: z.enum(CHANGES) });
const EXPECTED_BODY = `the body must be {"change": <one of ${CHANGES.join(', ')}>}`;

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function findEndpoint(
  endpoints: readonly SimulatedEndpoint[],
  query: URLSearchParams,
): SimulatedEndpoint | JsonServerResponse {
  const url = query.get('endpoint');
  const expected = `endpoint must be the URL of an endpoint of the sandbox, such as ${endpoints[0]?.definition.url ?? ''}`;
  if (url === null) return respondError(400, `${expected}; received none`);
  return (
    endpoints.find(({ definition }) => definition.url === url) ??
    respondError(404, `${expected}; received ${quote(url)}`)
  );
}

/**
 * Creates the handler of the route `/changes?endpoint=<url>`. PUT applies the change in the body from the current
 * simulated time on. DELETE ends all changes at the current simulated time. Changes are kept in memory only.
 */
function createChangesHandler({ endpoints, clock }: ControlOptions) {
  const changed = new Map<SimulatedEndpoint, ReadonlySet<Change>>();
  return ({ method, query, mediaType, body }: JsonRequest): JsonServerResponse => {
    const endpoint = findEndpoint(endpoints, query);
    if ('status' in endpoint) return endpoint;
    const changes = new Set<Change>();
    if (method === 'PUT') {
      if (mediaType !== 'application/json') return respondError(415, 'the body must be application/json');
      const parsed = changeSchema.safeParse(parseJson(body));
      if (!parsed.success) return respondError(400, `${EXPECTED_BODY}; received ${quote(body)}`);
      for (const change of changed.get(endpoint) ?? []) changes.add(change);
      changes.add(parsed.data.change);
    }
    changed.set(endpoint, changes);
    endpoint.changeFrom({ changes, from: clock.now() });
    return respondJson(200, { endpoint: endpoint.definition.url, changes: [...changes] });
  };
}

const fileSchema = z.strictObject({ text: z.string() });
const MAX_FILES = 100;

/** Returns the host and path of a file that a simulated host can serve; null for any other URL. */
function toFileKey(url: string | null, endpoints: readonly SimulatedEndpoint[]): string | null {
  const { protocol, host, pathname, search } = URL.parse(url ?? '') ?? {};
  if (protocol !== 'https:' || search !== '' || pathname?.startsWith('/.well-known/') !== true) return null;
  return endpoints.some((endpoint) => endpoint.host === host) ? `${host}${pathname}` : null;
}

/**
 * Responds to `/files?url=<url>`. PUT makes a simulated host serve the text in the body, and DELETE removes the file.
 * Files are kept in memory only.
 */
function respondFiles(
  { endpoints, files }: ControlOptions,
  { method, query, mediaType, body }: JsonRequest,
): JsonServerResponse {
  const key = toFileKey(query.get('url'), endpoints);
  if (key === null) {
    const example = `https://${endpoints[0]?.host ?? ''}/.well-known/touchstone.txt`;
    return respondError(
      400,
      `url must be a file below /.well-known/ of a host of the sandbox, such as ${example}`,
    );
  }
  if (method === 'DELETE') {
    files.delete(key);
    return respondJson(200, { url: `https://${key}`, text: null });
  }
  if (mediaType !== 'application/json') return respondError(415, 'the body must be application/json');
  const parsed = fileSchema.safeParse(parseJson(body));
  if (!parsed.success) return respondError(400, `the body must be {"text": <text>}; received ${quote(body)}`);
  if (files.size >= MAX_FILES && !files.has(key))
    return respondError(409, `the sandbox has ${MAX_FILES} files already; delete one with DELETE /files`);
  files.set(key, parsed.data.text);
  return respondJson(200, { url: `https://${key}`, text: parsed.data.text });
}

/**
 * Creates the control server with the routes `/clock` (GET and PUT), `/changes` and `/files` (PUT and DELETE), and
 * `/zone`, `/agents` and `/scenario` (GET).
 */
export function createControlServer(options: ControlOptions): Server {
  const respondChanges = createChangesHandler(options);
  return createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'PUT /clock':
        return setClock(options, request);
      case 'GET /clock':
        return respondClock(options);
      case 'PUT /changes':
      case 'DELETE /changes':
        return respondChanges(request);
      case 'PUT /files':
      case 'DELETE /files':
        return respondFiles(options, request);
      case 'GET /zone':
        return respondJson(200, createZone(options));
      case 'GET /agents':
        return respondAgents(options);
      case 'GET /scenario':
        return respondScenario(options);
      default:
        return respondError(404, 'not found');
    }
  });
}
