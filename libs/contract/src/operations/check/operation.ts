import { z } from 'zod';
import { createInputSchema, noParameters, requestedResource } from '../../shared/requests.ts';
import { atomicAmount, count, slug, text, time, usd } from '../../shared/scalars.ts';
import {
  CHECK_AXES,
  COMPLIANCE_RESULTS,
  EXAMPLE_ASSET,
  EXAMPLE_NETWORK,
  EXAMPLE_PAY_TO,
} from '../../shared/values.ts';
import { BODY, createPayload, createRequestBody, DATABASE, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';

/** Methods that a check can use. */
export const CHECK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const METHOD_EXPECTATION = `must be one of ${CHECK_METHODS.join(', ')}, or left out to try GET and then POST`;

const checkRequestSchema = z.strictObject({
  resource: requestedResource,
  method: z
    .enum(CHECK_METHODS, { error: METHOD_EXPECTATION })
    .exactOptional()
    .describe('Method of the request. Without it, GET is tried, and then POST.'),
});

export const checkInputSchema = createInputSchema(checkRequestSchema, noParameters);

/** What the clients of agents do at an endpoint. */
const CLIENT_OUTCOMES = ['pays', 'setting', 'lost', 'refused', 'free', 'unreachable', 'unknown'] as const;

const client = z.strictObject({
  version: z.union([z.literal(1), z.literal(2)]).describe('Version of the protocol.'),
  signs: z.boolean().describe('True if the reference client of this version signs a payment.'),
  arrives: z
    .boolean()
    .describe('True if nothing in the response prevents the payment from reaching the seller.'),
  reason: text('sentence')
    .nullable()
    .describe('Why the client signs no payment, or why the payment does not arrive; null without a reason.'),
  settings: z
    .array(text('sentence').describe('Change of a setting.'))
    .describe('Settings that a buyer must change first; empty with default settings.'),
});

const option = z.strictObject({
  scheme: text('name').describe('Scheme as advertised.'),
  network: text('address').describe('Network as a CAIP-2 id where it is known; otherwise as advertised.'),
  asset: text('address').describe('Token as advertised.'),
  assetSymbol: text('name').nullable().describe('Symbol of the token; null for an unknown token.'),
  amount: atomicAmount.nullable().describe('Price in atomic units; null for an unreadable amount.'),
  amountUsd: usd.nullable().describe('Price in US dollars; null for an unknown token or amount.'),
  payTo: text('address').describe('Address that receives the payment, as advertised.'),
  maxTimeoutSeconds: z
    .number()
    .nullable()
    .describe('Validity of a payment in seconds; null if it is missing.'),
});

const fault = z.strictObject({
  id: slug.describe('Name of the rule.'),
  axis: z.enum(CHECK_AXES).describe('Subject of the rule.'),
  severity: z.enum(['error', 'warning', 'info']).describe('Severity of the fault.'),
  message: text('sentence').describe('What is wrong. May quote the response, which is unverified.'),
  fix: text('sentence').describe('What the seller should change.'),
  reference: text('sentence').describe('Source of the rule.'),
});

const timing = z.strictObject({
  resolve: z.number().nullable().describe('Name resolution, in milliseconds.'),
  connect: z.number().nullable().describe('TCP connection, in milliseconds.'),
  tls: z.number().nullable().describe('TLS handshake, in milliseconds.'),
  processing: z
    .number()
    .nullable()
    .describe('Request until the first byte of the response, in milliseconds.'),
  transfer: z.number().nullable().describe('First until last byte of the response, in milliseconds.'),
  total: z.number().describe('Whole request, in milliseconds.'),
});

const code = z.strictObject({
  stack: slug.describe('Server stack, such as express.'),
  isRecognized: z.boolean().describe('True if the headers of the response name this stack.'),
  code: z.string().max(8_000).describe('Code that declares the route with the corrected terms.'),
});

export const checkSchema = z.strictObject({
  checkedAt: time.describe('Time of the check. A result is shared for ten minutes.'),
  resource: text('resource').describe('Checked URL.'),
  method: text('name').describe('Method of the checked response.'),
  status: z.int().nullable().describe('Status of the response; null without a response.'),
  outcome: z
    .enum(CLIENT_OUTCOMES)
    .describe(
      'What agents do: they pay; they pay after a change of a setting; they sign a payment that is lost; they refuse; they use it for free; they cannot reach it; or the response does not show it.',
    ),
  headline: text('sentence').describe('What agents do, in words.'),
  step: text('sentence')
    .nullable()
    .describe('What the seller should do first; null if there is nothing to do.'),
  verdict: z
    .enum([...COMPLIANCE_RESULTS, 'undetermined'])
    .describe('Compliance result; undetermined if the response does not show the payment terms.'),
  clients: z.array(client.describe('One client.')).describe('Reference clients of both versions.'),
  options: z.array(option.describe('One option.')).max(20).describe('Payment options, at most 20.'),
  faults: z.array(fault.describe('One fault.')).describe('Failed rules, most serious first.'),
  passed: z.array(slug.describe('Name of a rule.')).describe('Rules that the response passes.'),
  skipped: count.describe('Number of rules that do not apply.'),
  notes: z.array(text('sentence').describe('One sentence.')).describe('Further facts and advice.'),
  timingMs: timing.describe('Durations of the first request.'),
  headerBytes: count.describe('Size of the response headers, in bytes. Many servers accept at most 8,192.'),
  code: z
    .array(code.describe('Code for one stack.'))
    .describe(
      'Repaired route for each server stack; empty when there is nothing to repair, or no library for the terms.',
    ),
});

export type EndpointCheck = z.infer<typeof checkSchema>;

const EXAMPLE: EndpointCheck = {
  checkedAt: '2026-11-27T12:00:00.000Z',
  resource: 'https://api.example.com/v1/weather',
  method: 'GET',
  status: 402,
  outcome: 'refused',
  headline:
    'No agent pays this endpoint. The network has a version 1 name; version 2 clients need a CAIP-2 id such as eip155:8453.',
  step: 'Replace the network by its CAIP-2 id, such as eip155:8453 for base.',
  verdict: 'unpayable',
  clients: [
    {
      version: 1,
      signs: false,
      arrives: false,
      reason: 'The body is not a version 1 envelope.',
      settings: [],
    },
    { version: 2, signs: false, arrives: false, reason: 'The network has a version 1 name.', settings: [] },
  ],
  options: [
    {
      scheme: 'exact',
      network: EXAMPLE_NETWORK,
      asset: EXAMPLE_ASSET,
      assetSymbol: 'USDC',
      amount: '10000',
      amountUsd: '0.010000',
      payTo: EXAMPLE_PAY_TO,
      maxTimeoutSeconds: 60,
    },
  ],
  faults: [
    {
      id: 'v2-network-caip2',
      axis: 'payable',
      severity: 'error',
      message: 'network is "base"; it must be a CAIP-2 id.',
      fix: 'Replace the network by its CAIP-2 id, such as eip155:8453 for base.',
      reference: 'x402 v2 specification, 5.1.2',
    },
  ],
  passed: ['http-status-402'],
  skipped: 70,
  notes: [],
  timingMs: { resolve: 12.1, connect: 20.4, tls: 41.7, processing: 88.9, transfer: 0.4, total: 163.5 },
  headerBytes: 1_204,
  code: [{ stack: 'express', isRecognized: true, code: 'app.use(\n  paymentMiddleware(/* … */),\n);' }],
};

/** Published schemas of a check, by name. */
export const CHECK_SCHEMAS = {
  'x402-check': {
    title: 'Check',
    description: 'What the clients of agents do at one x402 endpoint, and how its seller repairs it.',
    component: 'Check',
    schema: checkSchema,
    example: EXAMPLE,
  },
  'x402-check-request': {
    title: 'Check request',
    description: 'Endpoint to check, and its method.',
    component: 'CheckRequest',
    schema: checkRequestSchema,
    isRequest: true,
    example: { resource: EXAMPLE.resource },
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
    'Sends unpaid requests to the URL, and says whether the clients of each protocol version pay, whether the money arrives, which rules the response breaks, and how to repair it as code. Nothing about a check enters a score or the catalog. A result is shared for ten minutes.',
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
    text: 'Use it as the seller of an x402 endpoint, or when a payment fails without a reason. Requests the URL live without a payment, and returns in headline what agents do, in step what to change first, all broken rules with their fixes, and in code the repaired route for Express, Hono, Next.js, FastAPI or Go.',
    isOpenWorld: true,
    isSlow: true,
  },
};
