import { z } from 'zod';
import { createInputSchema, noParameters, requestedResource } from '../../shared/requests.ts';
import { BODY, createPayload, createRequestBody, DATABASE, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { CHECK_EXAMPLE, checkSchema, CODE_STACKS } from './response.ts';

/** Methods that a check can use. Anybody can check any URL, so methods that change or delete something are left out. */
export const CHECK_METHODS = ['GET', 'POST'] as const;

const METHOD_EXPECTATION = `must be ${CHECK_METHODS.join(' or ')}, or left out to try GET and then POST; touchstone lint checks other methods`;

const checkRequestSchema = z.strictObject({
  resource: requestedResource,
  method: z
    .enum(CHECK_METHODS, { error: METHOD_EXPECTATION })
    .exactOptional()
    .describe('Method of the request. Without it, GET is tried, and then POST.'),
  stack: z
    .enum(CODE_STACKS, {
      error: `must be one of ${CODE_STACKS.join(', ')}, or left out for the recognized stack`,
    })
    .exactOptional()
    .describe('Server stack of the code. Without it, the stack that the headers name; otherwise express.'),
});

export const checkInputSchema = createInputSchema(checkRequestSchema, noParameters);

/** Published schemas of a check, by name. */
export const CHECK_SCHEMAS = {
  'x402-check': {
    title: 'Check',
    description: 'What the clients of agents do at one x402 endpoint, and how its seller repairs it.',
    component: 'Check',
    schema: checkSchema,
    example: CHECK_EXAMPLE,
  },
  'x402-check-request': {
    title: 'Check request',
    description: 'Endpoint to check, and its method.',
    component: 'CheckRequest',
    schema: checkRequestSchema,
    isRequest: true,
    example: { resource: CHECK_EXAMPLE.resource },
  },
} as const satisfies PublishedSchemas;

/** Free operation that checks one endpoint live. */
export const checkOperation: Operation = {
  id: 'checkEndpoint',
  method: 'POST',
  path: '/v1/check',
  parameters: [],
  priceUsd: null,
  security: 'none',
  summary: 'Check an x402 endpoint live, as its seller',
  description:
    'Sends unpaid requests to the URL, and says whether the clients of each protocol version pay, whether the money arrives, which rules the response breaks, and how to repair it as code. Nothing about a check enters a score or the catalog. A result is shared for one minute, and for ten minutes if agents pay and no rule reports an error.',
  tags: ['trust'],
  requestBody: createRequestBody(CHECK_SCHEMAS, 'x402-check-request'),
  response: createPayload(CHECK_SCHEMAS, 'x402-check'),
  hasHtmlPage: false,
  isCacheableDocument: false,
  outputExample: null,
  problems: [...BODY, 'not-probeable', ...DATABASE],
  command: null,
  tool: {
    place: 65,
    name: 'x402_check',
    title: 'Check your own x402 endpoint',
    text: 'Use it as the seller of an x402 endpoint, or when a payment fails without a reason. Requests the URL live without a payment, and returns in headline what agents do, in step what to change first, then each client, all broken rules with their fixes, and in code the repaired route for Express, Hono, Next.js, FastAPI or Go.',
    isOpenWorld: true,
    isSlow: true,
    isReadOnly: true,
  },
};
