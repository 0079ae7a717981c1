import { RATE_POLICIES, type Problem, type ProblemCode, createProblem } from '@touchstone/contract';
import { formatDay } from '@touchstone/common';
import { readPageNames, type PageKind } from '@touchstone/store';
import { getClientPolicy } from '../../api/rate-limit/limiters.ts';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import { getSecretDatabase, getPublicStore } from '../../platform/database/databases.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { createKnownNames, type ReadNames } from './known-names.ts';
import { createPageGuard, type PageLookup, type PageQuery, type Limited } from './page-guard.ts';
import { createProblemResponse } from '../../api/responses.ts';

const openKnownPages = () => {
  const counter = createProcessCounter(Date.now);
  const open = (kind: PageKind) => {
    const names = createKnownNames({ read: createRead(kind), now: Date.now });
    const getPolicy = (client: string) => getClientPolicy(RATE_POLICIES.unknownPage, client);
    return { names, guard: createPageGuard({ kind, names, counter, getPolicy, now: Date.now }) };
  };
  return { endpoint: open('endpoint'), host: open('host') };
};

/**
 * Creates the function that reads the names. A serverless instance reads no names, because it would read all names
 * again at each start.
 */
function createRead(kind: PageKind): ReadNames {
  if (process.env['VERCEL'] === '1') return () => Promise.reject(new Error('no names are kept on Vercel'));
  return (after, limit) => readPageNames(getSecretDatabase(), { kind, after, limit });
}

/** Returns the known pages of this process. The proxy and the routes share the known pages. */
const getKnownPages = () => getProcessValue('known-pages', openKnownPages);

/** Reads the names of all pages in the background, so that the first requests need no queries for unknown pages. */
export function loadKnownPages(): void {
  for (const { names } of Object.values(getKnownPages())) void names.load();
}

/** Finds the data of an endpoint by its id, within the limits for unknown pages. */
export function findEndpoint<T>(query: PageQuery<T>): Promise<PageLookup<T>> {
  return getKnownPages().endpoint.guard(query);
}

/** Finds the data of a provider by its host, within the limits for unknown pages. */
export function findProvider<T>(query: PageQuery<T>): Promise<PageLookup<T>> {
  return getKnownPages().host.guard(query);
}

/** Adds the endpoints and providers of cache tags such as `endpoint:{id}`, so that a new page is found immediately. */
export function addTaggedPages(tags: readonly string[]): void {
  const { endpoint, host } = getKnownPages();
  for (const tag of tags) {
    const [, kind, name = ''] = /^(endpoint|provider):(.*)$/.exec(tag) ?? [];
    if (kind !== undefined) (kind === 'endpoint' ? endpoint : host).names.add(name);
  }
}

type Headers = Readonly<Record<string, string>>;

/** Returns the error, its detail and its headers for a request that exceeds a limit for unknown pages. */
export function toLimitedRefusal({
  limited,
  retryAfterSeconds,
}: Omit<Limited, 'kind'>): readonly [readonly [ProblemCode, string], Headers] {
  const { limit, windowSeconds } = RATE_POLICIES.unknownPage;
  const cause =
    limited === 'client'
      ? `Too many requests for endpoints and providers that do not exist: at most ${limit} per ${windowSeconds} seconds from one IP address.`
      : 'Too many requests from all clients for endpoints and providers that are not known yet.';
  const detail = `${cause} Wait ${retryAfterSeconds} seconds.`;
  return [['rate-limited', detail], { 'retry-after': String(retryAfterSeconds) }];
}

/**
 * Creates the response to a request about an endpoint or a host that was not found.
 *
 * @param endpointId Id of the endpoint; null for a host.
 * @param unknownDetail Detail of the error 404.
 */
export async function respondNotFound(
  lookup: Exclude<PageLookup<unknown>, { readonly kind: 'found' }>,
  endpointId: string | null,
  unknownDetail: string,
): Promise<Response> {
  switch (lookup.kind) {
    case 'limited': {
      const [problem, headers] = toLimitedRefusal(lookup);
      return createProblemResponse(createProblem(...problem), headers);
    }
    case 'unknown':
      return createProblemResponse(createProblem('unknown-resource', unknownDetail));
    case 'missing':
      return createProblemResponse(await createMissingEndpointProblem(endpointId, unknownDetail));
  }
}

/**
 * Creates the error for an endpoint without a public snapshot: 410 if the endpoint was removed on request or by an opt-out
 * of its provider, otherwise 404.
 *
 * @param unknownDetail Detail of the error 404.
 */
async function createMissingEndpointProblem(
  endpointId: string | null,
  unknownDetail: string,
): Promise<Problem> {
  const target = endpointId === null ? null : await getPublicStore().findPageTarget(endpointId);
  if (target === 'removed')
    return createProblem(
      'resource-removed',
      'This endpoint was removed from the catalog. Remove the link to it.',
    );
  return target === null || target.optedOutAt === null
    ? createProblem('unknown-resource', unknownDetail)
    : createProblem(
        'resource-removed',
        `The provider of this endpoint opted out of probing and listing on ${formatDay(target.optedOutAt)}, so there is no score. Its page states this.`,
      );
}
