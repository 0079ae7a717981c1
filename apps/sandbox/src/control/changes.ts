import { z } from 'zod';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { respondError, respondJson, type JsonRequest, type JsonServerResponse } from '../http/json-server.ts';
import { parseJson } from '../parsing.ts';
import { CHANGES, type Change } from '../scenario/timeline.ts';
import type { Clock } from './clock.ts';

/** Changes that requests make to endpoints while the sandbox runs. They are kept in memory only. */
export interface EndpointChanges {
  /** Responds to `PUT /changes?endpoint=<url>`: adds the change in the body from now on. */
  readonly add: (request: JsonRequest) => JsonServerResponse;
  /** Responds to `DELETE /changes?endpoint=<url>`: removes all changes from now on. */
  readonly remove: (request: JsonRequest) => JsonServerResponse;
}

const changeSchema = z.strictObject({ change: z.enum(CHANGES) });
const EXPECTED_BODY = `the body must be {"change": <one of ${CHANGES.join(', ')}>}`;

/** Formats a received text for an error message. */
function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

/** Creates the handlers of the route `/changes`. */
export function createEndpointChanges(
  endpoints: readonly SimulatedEndpoint[],
  clock: Pick<Clock, 'now'>,
): EndpointChanges {
  const changed = new Map<SimulatedEndpoint, ReadonlySet<Change>>();

  const findEndpoint = ({ query }: JsonRequest): SimulatedEndpoint | JsonServerResponse => {
    const url = query.get('endpoint');
    const expected = `endpoint must be the URL of an endpoint of the sandbox, such as ${endpoints[0]?.definition.url ?? ''}`;
    if (url === null) return respondError(400, `${expected}; received none`);
    return (
      endpoints.find(({ definition }) => definition.url === url) ??
      respondError(404, `${expected}; received ${quote(url)}`)
    );
  };

  const apply = (endpoint: SimulatedEndpoint, changes: ReadonlySet<Change>): JsonServerResponse => {
    changed.set(endpoint, changes);
    endpoint.changeFrom({ changes, from: clock.now() });
    return respondJson(200, { endpoint: endpoint.definition.url, changes: [...changes] });
  };

  return {
    add: (request) => {
      const found = findEndpoint(request);
      if ('status' in found) return found;
      if (request.mediaType !== 'application/json')
        return respondError(415, 'the body must be application/json');
      const body = changeSchema.safeParse(parseJson(request.body));
      if (!body.success) return respondError(400, `${EXPECTED_BODY}; received ${quote(request.body)}`);
      return apply(found, new Set([...(changed.get(found) ?? []), body.data.change]));
    },
    remove: (request) => {
      const found = findEndpoint(request);
      return 'status' in found ? found : apply(found, new Set());
    },
  };
}
