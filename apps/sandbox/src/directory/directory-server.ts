import type { Server } from 'node:http';
import type { Clock } from '../control/clock.ts';
import type { SimulatedEndpoint, SimulationOptions } from '../endpoints/simulated-endpoint.ts';
import { createJsonServer, respondError, type JsonServerResponse } from '../http/json-server.ts';
import { parseDirectoryPage } from './directory-page.ts';
import { createListing } from './listing.ts';

export interface DirectoryOptions extends SimulationOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly clock: Clock;
  /**
   * Recorded directory items as JSON text. They are listed only while the clock follows real time, because they do not
   * belong to the simulated past.
   */
  readonly recorded: readonly string[];
}

function listItems(options: DirectoryOptions): string[] {
  const { endpoints, clock, recorded } = options;
  const simulated = endpoints.flatMap((endpoint) => createListing(endpoint, clock.now(), options) ?? []);
  return [...simulated.map((item) => JSON.stringify(item)), ...(clock.frozenAt() === null ? recorded : [])];
}

function listResources(options: DirectoryOptions, query: URLSearchParams): JsonServerResponse {
  const page = parseDirectoryPage(query);
  if ('error' in page) return respondError(400, page.error);
  const items = listItems(options);
  const pagination = JSON.stringify({ ...page, total: items.length });
  const pageItems = items.slice(page.offset, page.offset + page.limit).join(',');
  return { status: 200, text: `{"x402Version":2,"items":[${pageItems}],"pagination":${pagination}}` };
}

/**
 * Creates the server of the discovery directory, `GET /discovery/resources?type=http&limit=&offset=`. The directory
 * lists the endpoints at the simulated time.
 */
export function createDirectoryServer(options: DirectoryOptions): Server {
  return createJsonServer((request) => {
    if (request.path !== '/discovery/resources') return respondError(404, 'not found');
    if (request.method !== 'GET') return respondError(405, 'method not allowed; use GET');
    return listResources(options, request.query);
  });
}
