import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { parseJson } from '@touchstone/common';
import { z } from 'zod';
import { createBazaarExtension } from '../challenges/bazaar-extension.ts';
import { createAcceptsV1, createAcceptsV2 } from '../challenges/challenge.ts';
import type { Clock } from '../scenario/clock.ts';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { createJsonServer, respondError, type JsonServerResponse } from '../http/json-server.ts';
import { createWholeNumberSchema, type JsonObject } from '../parsing.ts';
import { getStateAt, type EndpointState, type Timeline } from '../scenario/timeline.ts';
import { StartupError, toErrorMessage } from '../startup-error.ts';

/**
 * Converts a line of the file to a directory item as JSON text. Removes the member `source`, because it only documents
 * the recording. A line that is not a JSON object becomes a JSON string, so that clients of the directory also receive
 * malformed items.
 */
function toItemText(line: string): string {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(line));
  if (!parsed.success) return JSON.stringify(line.toWellFormed());
  const members = Object.entries(parsed.data).filter(([name]) => name !== 'source');
  return JSON.stringify(Object.fromEntries(members));
}

/**
 * Reads recorded directory items from a file of JSON Lines.
 * @returns each item as JSON text
 * @throws StartupError when the file cannot be read
 */
export async function readRecordedListings(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(`SANDBOX_LISTINGS: cannot read ${file}: ${toErrorMessage(error)}`);
  }
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [toItemText(line)]));
}

const querySchema = z.object({
  type: z.literal('http', 'must be http').default('http'),
  limit: createWholeNumberSchema(1, 1_000).default(100),
  offset: createWholeNumberSchema(0, 999_999_999).default(0),
});

export interface DirectoryPage {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Parses the page parameters of a query string. Like the real directory, this function rounds `limit` to a multiple of
 * 10, and `offset` down to a multiple of `limit`. So a client receives every item exactly once only if its offsets are
 * multiples of `limit`.
 * @returns the page, or an error message for an invalid query
 */
export function parseDirectoryPage(query: URLSearchParams): DirectoryPage | { readonly error: string } {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    return {
      error: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    };
  const limit = Math.max(10, Math.round(parsed.data.limit / 10) * 10);
  return { limit, offset: Math.floor(parsed.data.offset / limit) * limit };
}

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
 * Returns the simulated time of the last change of a listed property. Changes of the endpoint's behaviour do not count.
 */
function findLastChange(timeline: Timeline, at: number): number {
  let last = timeline[0];
  for (const state of timeline.filter(({ from }) => from <= at))
    if (!hasSameListing(state, last)) last = state;
  return last.from;
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
function createListing(endpoint: SimulatedEndpoint, at: number): JsonObject | null {
  const { definition, timeline } = endpoint;
  const state = getStateAt(timeline, at);
  if (!state.listed) return null;
  const context = endpoint.createChallengeContext(state);
  return {
    resource: definition.url,
    type: 'http',
    x402Version: definition.protocol === 'v1' ? 1 : 2,
    accepts: definition.protocol === 'v1' ? createAcceptsV1(context) : createAcceptsV2(context),
    lastUpdated: new Date(findLastChange(timeline, at)).toISOString(),
    ...(definition.protocol === 'v1' ? {} : createV2Members(endpoint, at)),
  };
}

export interface DirectoryOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly clock: Clock;
  /**
   * Recorded directory items as JSON text. They are listed only while the clock follows real time, because they do not
   * belong to the simulated past.
   */
  readonly recorded: readonly string[];
}

function listItems({ endpoints, clock, recorded }: DirectoryOptions): string[] {
  const simulated = endpoints.flatMap((endpoint) => createListing(endpoint, clock.now()) ?? []);
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
