import { z } from 'zod';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { createPayload, DATABASE, FREE_GET, type Operation } from '../operation-model.ts';
import { ENDPOINT_SUMMARIES_EXAMPLE, endpointSummariesSchema, rangePrefixSchema } from './response.ts';

/** Schema that parses a complete request for the summaries of a range: `{ params }`. */
export const endpointSummariesInputSchema = z
  .object({ params: z.object({ prefix: rangePrefixSchema }) })
  .transform(({ params }) => params);

export const ENDPOINT_SUMMARIES_SCHEMAS = {
  'endpoint-summaries': {
    title: 'Endpoint summaries of a range of hosts',
    description:
      'Values by which a client judges a payment, for all endpoints whose hosts have hashes with one prefix.',
    component: 'EndpointSummaries',
    schema: endpointSummariesSchema,
    example: ENDPOINT_SUMMARIES_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

/** Free operation that returns the summaries of a range, so that a look-up does not name an endpoint. */
export const endpointSummariesOperation: Operation = {
  ...FREE_GET,
  id: 'listEndpointSummaries',
  path: '/v1/summaries/{prefix}',
  parameters: [
    {
      in: 'path',
      name: 'prefix',
      required: true,
      description:
        'First 1 to 3 hexadecimal digits of the SHA-256 hash of the host in lower case. Of 728 recorded hosts, 34 to 58 share each range of one digit, 1 to 8 a range of two, and most are alone in a range of three.',
      schema: rangePrefixSchema,
      example: ENDPOINT_SUMMARIES_EXAMPLE.prefix,
    },
  ],
  summary: 'Summaries of a range of hosts, for look-ups that do not name the endpoint',
  description:
    'Signed values by which a client judges a payment, for all endpoints of the hosts in a range. The request names neither the endpoint nor its host: the client finds the endpoint and the payTo address in the response. A shorter prefix is more private. A range with more than 5,000 endpoints leaves out the hosts with the most endpoints. The guard uses it with the option `lookups`.',
  tags: ['trust'],
  response: createPayload(ENDPOINT_SUMMARIES_SCHEMAS, 'endpoint-summaries'),
  problems: DATABASE,
};
