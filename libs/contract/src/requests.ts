import { z } from 'zod';
import { RESOURCE_PATTERN } from './resource-pattern.ts';
import { TEXT_LIMITS } from './scalars.ts';

/** The bodies of requests. Names they do not know are refused, so that a misspelt option is never paid for. */

const resource = z
  .string()
  .max(TEXT_LIMITS.resource)
  .regex(
    RESOURCE_PATTERN,
    'Give the full URL of the endpoint, beginning with https://, without space around it. Percent-encode what cannot be seen, and emoji.',
  )
  .describe('Full URL of the endpoint, as directories list it.')
  .meta({ examples: ['https://api.example.com/v1/weather'] });

const HISTORY_DAYS = { min: 1, max: 90, default: 30 } as const;

export const trustRequestSchema = z.strictObject({ resource });

export const historyRequestSchema = z.strictObject({
  resource,
  days: z
    .int()
    .min(HISTORY_DAYS.min)
    .max(HISTORY_DAYS.max)
    .default(HISTORY_DAYS.default)
    .describe('How many days to look back, from now.')
    .meta({ examples: [HISTORY_DAYS.default] }),
});

/** The preview takes no parameter: whatever is in its body is not read, and nothing of it is paid for. */
export const previewRequestSchema = z.looseObject({});

export type TrustRequest = z.infer<typeof trustRequestSchema>;
export type HistoryRequest = z.infer<typeof historyRequestSchema>;
