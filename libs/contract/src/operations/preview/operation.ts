import { z } from 'zod';
import { count, text, time } from '../../shared/scalars.ts';
import { createPayload, createRequestBody, DATABASE, FREE_GET, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';
import { trustReportSchema } from '../trust-report/report-schema.ts';

/** The preview of a trust report has no parameters, so its body is not read. */
const previewRequestSchema = z.looseObject({});

const sample = z.strictObject({
  role: z.enum(['best', 'median', 'worst']).describe('Position in the ranking.'),
  populationRank: z
    .int()
    .min(1)
    .describe(
      'Rank by the lower bound of the score range, then by score, then by endpoint id; 1 is the best.',
    ),
  report: trustReportSchema.describe('Complete report with every field of a paid report.'),
});

export const previewSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  population: count.describe('Number of endpoints in the ranking.'),
  populationSize: count.describe('Number of endpoints in the ranking, as in population.'),
  populationRule: text('sentence').describe('Rule that decides which endpoints are in the ranking.'),
  samples: z
    .array(sample.describe('One sample.'))
    .max(3)
    .describe(
      'The first, the middle and the last endpoint of the ranking; empty when no endpoint is graded.',
    ),
});

export type Preview = z.infer<typeof previewSchema>;

const PREVIEW_EXAMPLE: Preview = {
  generatedAt: report.generatedAt,
  population: 1_204,
  populationSize: 1_204,
  populationRule: 'Graded endpoints that a directory lists, with a confidence of at least 0.30.',
  samples: [{ role: 'best', populationRank: 1, report }],
};

export const PREVIEW_SCHEMAS = {
  'x402-trust-preview': {
    title: 'Preview',
    description: 'Complete trust reports on the first, the middle and the last endpoint of the ranking.',
    component: 'Preview',
    schema: previewSchema,
    example: PREVIEW_EXAMPLE,
  },
  'x402-trust-preview-request': {
    title: 'Preview request',
    description: 'Empty object: the preview has no parameters.',
    component: 'PreviewRequest',
    schema: previewRequestSchema,
    isRequest: true,
    example: {},
  },
} as const satisfies PublishedSchemas;

export const PREVIEW = {
  ...FREE_GET,
  path: '/v1/x402-trust-preview',
  description:
    'Three complete trust reports with every field of a paid report: on the first, the middle and the last endpoint, ranked by the lower bound of the score range. The caller cannot choose the endpoints.',
  tags: ['trust'],
  response: createPayload(PREVIEW_SCHEMAS, 'x402-trust-preview'),
} as const;

export const PREVIEW_OPERATIONS: readonly Operation[] = [
  {
    ...PREVIEW,
    id: 'getTrustPreview',
    summary: 'Three sample reports',
    problems: DATABASE,
    tool: {
      place: 70,
      name: 'x402_trust_preview',
      title: 'Three sample trust reports',
      text: 'Use it to see what x402_trust_score returns before you buy a report. Returns the complete report on the first endpoint of the ranking, and the reports on the middle and the last endpoint without their longest members. You cannot choose the endpoints.',
      isOpenWorld: true,
    },
  },
  {
    ...PREVIEW,
    id: 'postTrustPreview',
    method: 'POST',
    summary: 'Three sample reports, with POST like a paid report',
    requestBody: { ...createRequestBody(PREVIEW_SCHEMAS, 'x402-trust-preview-request'), required: false },
    problems: ['body-too-large', ...DATABASE],
  },
];
