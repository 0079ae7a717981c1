import type { Server } from 'node:http';
import type { Clock } from './clock.ts';
import { directoryPage } from './directory-page.ts';
import { createJsonServer, jsonError } from './json-server.ts';
import type { JsonReply } from './json-server.ts';
import { listingAt } from './listing.ts';
import type { Resident, WorldOptions } from './resident.ts';

export interface DirectoryOptions extends WorldOptions {
  readonly residents: readonly Resident[];
  readonly clock: Clock;
  /** Recorded items as JSON text; they were not recorded in the world's past, so they show in real time only. */
  readonly recorded: readonly string[];
}

const itemsNow = (options: DirectoryOptions): string[] => {
  const { residents, clock, recorded } = options;
  const own = residents.flatMap((resident) => listingAt(resident, clock.now(), options) ?? []);
  return [...own.map((item) => JSON.stringify(item)), ...(clock.frozenAt() === null ? recorded : [])];
};

const listResources = (options: DirectoryOptions, query: URLSearchParams): JsonReply => {
  const page = directoryPage(query);
  if ('error' in page) return jsonError(400, page.error);
  const items = itemsNow(options);
  const pagination = JSON.stringify({ ...page, total: items.length });
  const shown = items.slice(page.offset, page.offset + page.limit).join(',');
  return { status: 200, text: `{"x402Version":2,"items":[${shown}],"pagination":${pagination}}` };
};

/** The world's discovery directory: `GET /discovery/resources?type=http&limit=&offset=`, as of the world's clock. */
export const createDirectoryServer = (options: DirectoryOptions): Server =>
  createJsonServer((request) => {
    if (request.path !== '/discovery/resources') return jsonError(404, 'not found');
    if (request.method !== 'GET') return jsonError(405, 'only GET is answered here');
    return listResources(options, request.query);
  });
