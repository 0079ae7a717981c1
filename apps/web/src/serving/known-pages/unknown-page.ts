import { type Problem, type ProblemCode, RATE_POLICIES, createProblem } from '@touchstone/contract';
import { createProblemResponse } from '../../api/responses.ts';
import { getPublicStore } from '../../platform/database/public-store.ts';
import type { Limited, Lookup } from './page-guard.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns the error, its detail and its headers for a request above a limit for unknown pages. */
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
 * Creates the response to a request about an endpoint that was not found.
 *
 * @param unknownDetail Detail of the error 404.
 */
export async function respondNotFound(
  lookup: Exclude<Lookup<unknown>, { readonly kind: 'found' }>,
  endpointId: string,
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
 * Creates the error for an endpoint without a public snapshot: 410 if the endpoint was removed on request, otherwise 404.
 *
 * @param unknownDetail Detail of the error 404.
 */
async function createMissingEndpointProblem(endpointId: string, unknownDetail: string): Promise<Problem> {
  return (await getPublicStore().findPageTarget(endpointId)) === 'removed'
    ? createProblem('resource-removed', 'This endpoint was removed from the catalog. Remove the link to it.')
    : createProblem('unknown-resource', unknownDetail);
}
