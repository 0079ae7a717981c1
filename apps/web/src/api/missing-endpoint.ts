import { createProblem, type Problem } from '@touchstone/contract';
import { getPublicStore } from '../database/public-store.ts';

/**
 * Creates the error for an endpoint without a public snapshot: 410 if the endpoint was removed on request, otherwise 404.
 *
 * @param unknownDetail Detail of the error 404.
 */
export async function createMissingEndpointProblem(
  endpointId: string,
  unknownDetail: string,
): Promise<Problem> {
  return (await getPublicStore().pageTarget(endpointId)) === 'removed'
    ? createProblem('resource-removed', 'This endpoint was removed from the catalog. Remove the link to it.')
    : createProblem('unknown-resource', unknownDetail);
}
