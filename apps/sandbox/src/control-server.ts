import type { Server } from 'node:http';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import { createJsonServer, jsonError, jsonOf } from './json-server.ts';
import type { JsonReply, JsonRequest } from './json-server.ts';
import { parseJson } from './json.ts';
import type { Agents } from './payments/agents.ts';
import type { Resident } from './resident.ts';
import { stateAt } from './timeline.ts';
import { zoneAt } from './zone.ts';
import type { ZonePorts } from './zone.ts';

export interface ControlOptions {
  readonly residents: readonly Resident[];
  readonly clock: Clock;
  readonly ports: ZonePorts;
  /** Null where there is no chain to pay on. */
  readonly agents: Pick<Agents, 'follow' | 'paidThrough'> | null;
}

const clockSchema = z.strictObject({ at: z.iso.datetime({ offset: true }).nullable() });

const zoneNow = ({ residents, clock, ports }: ControlOptions) => zoneAt(residents, clock.now(), ports);

const clockReply = (options: ControlOptions): JsonReply => {
  const frozenAt = options.clock.frozenAt();
  return jsonOf(200, {
    at: frozenAt === null ? null : new Date(frozenAt).toISOString(),
    zone: zoneNow(options),
  });
};

const setClock = (options: ControlOptions, { mediaType, body }: JsonRequest): JsonReply => {
  if (mediaType !== 'application/json') return jsonError(415, 'the body must be application/json');
  const wish = clockSchema.safeParse(parseJson(body));
  if (!wish.success) return jsonError(400, 'the body must be {"at": <ISO 8601 time with its zone, or null>}');
  const { at } = wish.data;
  const moment = at === null ? null : Date.parse(at);
  options.clock.set(moment);
  options.agents?.follow(moment);
  return clockReply(options);
};

/** Up to when the agents have paid, which comes behind the clock; null when nobody pays here. */
const agentsReply = ({ agents }: ControlOptions): JsonReply =>
  jsonOf(200, { paidThrough: agents === null ? null : new Date(agents.paidThrough()).toISOString() });

/** The truth about each endpoint at the world's time, for tests of those who judge them. */
const scenarioReply = ({ residents, clock }: ControlOptions): JsonReply =>
  jsonOf(200, {
    endpoints: residents.map(({ endpoint, timeline }) => {
      const { behaviour, listed, priceUsd, wallet, tokens } = stateAt(timeline, clock.now());
      const { name, url, method, protocol, story } = endpoint;
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

/** The server that moves the world's clock and tells its truth: `/clock` (GET, PUT), `/zone`, `/agents` and `/scenario`. */
export const createControlServer = (options: ControlOptions): Server =>
  createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'PUT /clock':
        return setClock(options, request);
      case 'GET /clock':
        return clockReply(options);
      case 'GET /zone':
        return jsonOf(200, zoneNow(options));
      case 'GET /agents':
        return agentsReply(options);
      case 'GET /scenario':
        return scenarioReply(options);
      default:
        return jsonError(404, 'not found');
    }
  });
