import { z } from 'zod';
import { createInputSchema, createOption, requestedResource } from '../../shared/requests.ts';
import { URL_ARGUMENT } from '../command.ts';
import { createPaidPost } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE } from './report-schema.ts';
import { trustReportSchema } from './report-schema.ts';

export const trustRequestSchema = z.strictObject({ resource: requestedResource });

export const trustQuerySchema = z.object({ detail: createOption('full', 'the short report') });

export const trustInputSchema = createInputSchema(trustRequestSchema, trustQuerySchema);

const { resource, score, grade, recommendation, reasons, confidence, breakdown, flags } =
  TRUST_REPORT_EXAMPLE;

export const TRUST_REPORT_SCHEMAS = {
  'x402-trust': {
    title: 'Trust report',
    description: 'Measurements, score and recommendation of one x402 endpoint.',
    component: 'TrustReport',
    schema: trustReportSchema,
    example: TRUST_REPORT_EXAMPLE,
  },
  'x402-trust-request': {
    title: 'Trust request',
    description: 'Endpoint of the requested trust report.',
    component: 'TrustRequest',
    schema: trustRequestSchema,
    isRequest: true,
    example: { resource },
  },
} as const satisfies PublishedSchemas;

export const trustReportOperation = createPaidPost(TRUST_REPORT_SCHEMAS, {
  id: 'getTrustReport',
  path: '/v1/x402-trust',
  parameters: [
    {
      in: 'query',
      name: 'detail',
      required: false,
      description: 'Adds the passed compliance checks to the report.',
      schema: trustQuerySchema.shape.detail,
      example: 'full',
    },
  ],
  priceUsd: '0.005000',
  summary: 'Trust report on one x402 endpoint',
  description:
    'Signed report with trust score (0 to 100), grade, recommendation, confidence, all flags with their evidence, the advertised price, the on-chain settlements of its wallet, what test purchases and buyers got for money, and raw statistics of the last 30 days. The endpoint is probed live, and `freshness` compares the result with the stored data. An endpoint that is not in the catalog yet is probed and added; after three of one host that could not be added, a payer waits ten minutes for this host.',
  tags: ['trust'],
  request: 'x402-trust-request',
  response: 'x402-trust',
  outputExample: { resource, score, grade, recommendation, reasons, confidence, breakdown, flags },
  problems: ['unknown-resource', 'template-unresolved', 'not-probeable'],
  command: {
    name: 'buy trust',
    summary: 'Buys the trust report of an endpoint, verifies it and prints it.',
    argument: URL_ARGUMENT,
    options: [
      {
        member: 'detail',
        flags: '--detail <level>',
        text: 'full also lists the passed compliance checks',
        kind: 'choice',
        choices: ['full'],
      },
    ],
    maxUsd: null,
    product: { name: 'a trust report', description: 'a trust report on {resource}' },
    examples: [
      'touchstone buy trust --sandbox https://skyfall.sandbox.test/v2/current',
      'touchstone buy trust --service https://touchstone.example --max-usd 0.01 https://api.example.com/v1/weather',
      'touchstone buy trust --yes --json https://api.example.com/v1/weather | jq .recommendation',
    ],
  },
  tool: {
    place: 20,
    name: 'x402_trust_score',
    title: 'Trust report on an x402 endpoint',
    text: 'Use it before a first or large payment to an x402 endpoint, and when x402_summary says caution or unverified, or does not know it. Probes the endpoint live and says in freshness whether that confirms the stored terms. Returns a signed report: score, grade, recommendation with reasons, all flags with evidence, advertised price, settlements on chain, deliveries for money and compliance. Adds an unknown endpoint to the catalog. Next: pay on proceed; call x402_find_alternatives on avoid.',
    isOpenWorld: true,
    isSlow: true,
  },
});
