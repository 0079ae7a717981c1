import type { z } from 'zod';
import {
  KEY_SET_EXAMPLE,
  LEADERBOARD_EXAMPLE,
  PREVIEW_EXAMPLE,
  STATS_EXAMPLE,
} from './examples/free-answers.ts';
import { HISTORY_EXAMPLE } from './examples/history.ts';
import { PAYMENT_REQUIRED_EXAMPLE } from './examples/payment-required.ts';
import { TRUST_REPORT_EXAMPLE } from './examples/trust-report.ts';
import { leaderboardSchema, previewSchema, statsSchema } from './free-answers.ts';
import { historySchema } from './history.ts';
import { paymentRequiredSchema } from './payment-required.ts';
import { problemOf, problemSchema } from './problem.ts';
import { historyRequestSchema, previewRequestSchema, trustRequestSchema } from './requests.ts';
import { keySetSchema } from './signature.ts';
import { TRUST_SCHEMA_TYPE, TRUST_SCHEMA_VERSION, trustReportSchema } from './trust-report.ts';

interface PublishedSchema {
  readonly title: string;
  readonly description: string;
  /** Below the base address of a service; a path once published never means another schema. */
  readonly path: string;
  /** Its name in the OpenAPI document. */
  readonly component: string;
  readonly schema: z.ZodType;
  /** Requests are described as they are sent, where what has a default may be left out. */
  readonly io: 'input' | 'output';
  readonly example: unknown;
}

const resource = TRUST_REPORT_EXAMPLE.resource;

/** Every schema that is served, by name. */
export const SCHEMAS = {
  [TRUST_SCHEMA_TYPE]: {
    title: 'Trust report',
    description: 'What is known of one x402 endpoint, and whether it deserves to be paid.',
    path: `/schemas/${TRUST_SCHEMA_TYPE}/${TRUST_SCHEMA_VERSION}.json`,
    component: 'TrustReport',
    schema: trustReportSchema,
    io: 'output',
    example: TRUST_REPORT_EXAMPLE,
  },
  'x402-trust-request': {
    title: 'Trust request',
    description: 'Which endpoint a trust report is wanted of.',
    path: '/schemas/x402-trust-request/1.0.0.json',
    component: 'TrustRequest',
    schema: trustRequestSchema,
    io: 'input',
    example: { resource },
  },
  'x402-history': {
    title: 'History',
    description: 'What was seen of one x402 endpoint: events, probes and days, each with the oldest first.',
    path: '/schemas/x402-history/1.0.0.json',
    component: 'History',
    schema: historySchema,
    io: 'output',
    example: HISTORY_EXAMPLE,
  },
  'x402-history-request': {
    title: 'History request',
    description: 'Which endpoint a history is wanted of, and for how many days.',
    path: '/schemas/x402-history-request/1.0.0.json',
    component: 'HistoryRequest',
    schema: historyRequestSchema,
    io: 'input',
    example: { resource, days: 30 },
  },
  'x402-trust-preview': {
    title: 'Preview',
    description: 'Complete trust reports on the best-scored endpoint, the median and the worst-scored one.',
    path: '/schemas/x402-trust-preview/1.0.0.json',
    component: 'Preview',
    schema: previewSchema,
    io: 'output',
    example: PREVIEW_EXAMPLE,
  },
  'x402-trust-preview-request': {
    title: 'Preview request',
    description: 'An empty object, since there is nothing to choose.',
    path: '/schemas/x402-trust-preview-request/1.0.0.json',
    component: 'PreviewRequest',
    schema: previewRequestSchema,
    io: 'input',
    example: {},
  },
  leaderboard: {
    title: 'Leaderboard',
    description: 'The best-scored endpoints, at most 25.',
    path: '/schemas/leaderboard/1.0.0.json',
    component: 'Leaderboard',
    schema: leaderboardSchema,
    io: 'output',
    example: LEADERBOARD_EXAMPLE,
  },
  stats: {
    title: 'Stats',
    description: 'The x402 ecosystem in numbers.',
    path: '/schemas/stats/1.0.0.json',
    component: 'Stats',
    schema: statsSchema,
    io: 'output',
    example: STATS_EXAMPLE,
  },
  problem: {
    title: 'Problem',
    description: 'An error of this service, by RFC 9457.',
    path: '/schemas/problem/1.0.0.json',
    component: 'Problem',
    schema: problemSchema,
    io: 'output',
    example: problemOf('invalid-request', 'The body does not match the schema: days has to be at most 90.', {
      notCharged: true,
      errors: [{ path: 'days', message: 'Too big: expected number to be <=90' }],
      instance: '/v1/x402-history',
    }),
  },
  'payment-required': {
    title: 'Payment required',
    description: 'The challenge of a paid operation, by version 2 of the x402 protocol.',
    path: '/schemas/payment-required/1.0.0.json',
    component: 'PaymentRequired',
    schema: paymentRequiredSchema,
    io: 'output',
    example: PAYMENT_REQUIRED_EXAMPLE,
  },
  'key-set': {
    title: 'Key set',
    description: 'The public keys that reports are signed with.',
    path: '/schemas/key-set/1.0.0.json',
    component: 'KeySet',
    schema: keySetSchema,
    io: 'output',
    example: KEY_SET_EXAMPLE,
  },
} as const satisfies Readonly<Record<string, PublishedSchema>>;

export type SchemaName = keyof typeof SCHEMAS;
