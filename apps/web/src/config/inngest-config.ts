import { z } from 'zod';

const emptyToUndefined = (value: unknown): unknown => (value === '' ? undefined : value);
const optionalText = z.preprocess(emptyToUndefined, z.string().optional());

/** Schema of the maximum number of probe batches that run at the same time. */
export const concurrentBatchesSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
  .transform(Number);

/**
 * Default number of probe batches that run at the same time. It is enough for tens of thousands of endpoints;
 * docs/scale.md has the number for a million endpoints.
 */
export const DEFAULT_CONCURRENT_BATCHES = 4;

/** Base URLs of directories. Only the jobs that Inngest runs need them. */
export const directoryUrlsSchema = z
  .string({ error: 'must contain at least one directory URL, separated by spaces' })
  .transform((text) => text.split(/\s+/).filter((url) => url !== ''))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

/**
 * Environment variables of a site whose jobs are run by Inngest. The library `inngest` reads those that begin with
 * `INNGEST_` and have no other schema. The jobs parse `DIRECTORY_URLS` when they start.
 */
export const inngestEnvironment = {
  INNGEST_SIGNING_KEY: optionalText.meta({
    description:
      'key with which Inngest signs its requests. Without it, `/api/inngest` responds with 404 and runs no job',
  }),
  INNGEST_SIGNING_KEY_FALLBACK: optionalText.meta({
    description: 'previous signing key, accepted as well during a [rotation](#key-rotation)',
  }),
  INNGEST_EVENT_KEY: optionalText.meta({
    description: 'key with which the site sends events to Inngest, which start the batches',
  }),
  INNGEST_BASE_URL: optionalText.meta({
    defaultText: "Inngest's cloud",
    description: 'base URL of a self-hosted Inngest server',
  }),
  INNGEST_BATCHES_AT_ONCE: z.preprocess(emptyToUndefined, concurrentBatchesSchema.optional()).meta({
    defaultText: `\`${String(DEFAULT_CONCURRENT_BATCHES)}\``,
    description:
      'maximum number of probe batches that run at the same time, each with 48 probes in flight ([for a million endpoints](scale.md))',
  }),
  DIRECTORY_URLS: z.string().optional().meta({
    description: 'base URLs of directories, separated by spaces. The jobs need at least one',
  }),
};
