import { z } from 'zod';
import { TEXT_LIMITS } from '../responses/text-limits.ts';
import { requestedResource } from './requests.ts';

/** Schemas of the requests for the summary of one endpoint. */

const PAY_TO_EXPECTATION = `must be a payTo address of 1 to ${String(TEXT_LIMITS.address)} visible ASCII characters, such as 0x209693Bc6afc0C5328bA36FaF03C514EF312287C`;
const NETWORK_EXPECTATION = `must be the id of a network of 1 to ${String(TEXT_LIMITS.address)} visible ASCII characters, such as eip155:8453`;
const SLUG_EXPECTATION = 'must be the slug of an endpoint, such as api-example-com-weather-abcdefghij';

/** Creates the schema of an optional text of visible ASCII characters. */
function createVisibleText(error: string) {
  return z
    .string({ error })
    .regex(new RegExp(`^[!-~]{1,${String(TEXT_LIMITS.address)}}$`), { error })
    .exactOptional();
}

const terms = {
  payTo: createVisibleText(PAY_TO_EXPECTATION).describe(
    'payTo address of a payment challenge. The summary states whether the endpoint has or had it.',
  ),
  network: createVisibleText(NETWORK_EXPECTATION).describe(
    'Network of the payTo address: a CAIP-2 id. Without it, any network matches.',
  ),
};

/**
 * Query parameters of a summary by URL. Unknown parameters are refused: usually they are the rest of a URL that was not
 * percent-encoded, and the summary would describe another URL.
 */
export const summaryQuerySchema = z.strictObject({ resource: requestedResource, ...terms });

/** Query parameters of a summary by slug. Unknown parameters are ignored. */
const endpointPageQuerySchema = z.object(terms);

/**
 * Schema of the slug of an endpoint: words of its host and path, then its id. The words are not checked, because old page
 * URLs may have others.
 */
export const endpointSlugSchema = z
  .string({ error: SLUG_EXPECTATION })
  .regex(/^[a-z0-9-]*[a-z2-7]{10}$/, { error: SLUG_EXPECTATION })
  .max(TEXT_LIMITS.name, { error: SLUG_EXPECTATION });

/** Schema that parses a complete request for a summary by URL: `{ query }`. */
export const summaryInputSchema = z.object({ query: summaryQuerySchema }).transform(({ query }) => query);

/** Schema that parses a complete request for a summary by slug: `{ query, params }`. */
export const endpointPageInputSchema = z
  .object({ query: endpointPageQuerySchema, params: z.object({ slug: endpointSlugSchema }) })
  .transform(({ query, params }) => ({ ...query, ...params }));
