import { z } from 'zod';
import { requestedResource } from '../../shared/requests.ts';
import { grade, link, points, text, time } from '../../shared/scalars.ts';
import { RECOMMENDATIONS } from '../../shared/values.ts';

/** Body of a request for a probe now. */
export const recheckRequestSchema = z.strictObject({ resource: requestedResource });

/** Result of a probe on request of a provider. The probe counts in no uptime figure. */
export const recheckedSchema = z.strictObject({
  resource: text('resource').describe('URL of the endpoint.'),
  endpoint_page: link.describe('Page of the endpoint, with the new score.'),
  is_live: z.boolean().describe('True when the endpoint was probed now; false when `detail` says why not.'),
  outcome: text('name')
    .nullable()
    .describe('Outcome of the probe, such as challenged; null without a probe.'),
  http_status: z.int().nullable().describe('HTTP status of the response; null without a response.'),
  detail: text('sentence').nullable().describe('What the probe found, or why there was none.'),
  probed_at: time.nullable().describe('Time of the latest probe.'),
  score: points.describe('Present score.'),
  grade: grade.describe('Present grade.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Present recommendation.'),
});
export type Rechecked = z.infer<typeof recheckedSchema>;

export const RECHECKED_EXAMPLE: Rechecked = {
  resource: 'https://api.example.com/v1/weather',
  endpoint_page: 'https://touchstone.example/endpoint/api-example-com-v1-weather-abcdefgh27',
  is_live: true,
  outcome: 'challenged',
  http_status: 402,
  detail: null,
  probed_at: '2026-06-02T00:00:00.000Z',
  score: 91.9,
  grade: 'A',
  recommendation: 'proceed',
};
