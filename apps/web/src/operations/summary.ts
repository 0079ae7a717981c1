import type { EndpointSummary } from '@touchstone/contract';
import { createEndpointSummary, type SummaryRequest } from '@touchstone/pipeline';
import { getSiteOrigin, readVantage } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { signIfConfigured } from './sign-document.ts';

/**
 * Creates the signed summary of an endpoint. Returns null if no endpoint has the requested id.
 *
 * @throws InvalidResourceError if the requested URL cannot be an endpoint
 */
export async function createSignedSummary(request: SummaryRequest): Promise<EndpointSummary | null> {
  const summary = await createEndpointSummary(
    {
      db: getSecretDatabase(),
      baseUrl: getSiteOrigin(process.env),
      vantage: readVantage(process.env),
      now: Date.now,
    },
    request,
  );
  return summary && signIfConfigured(summary);
}
