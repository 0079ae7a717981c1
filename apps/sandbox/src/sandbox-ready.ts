import { z } from 'zod';

/** What a sandbox process says once, when it is ready. */
export const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.string(),
  controlUrl: z.string(),
  /** PEM file of the authority to trust. */
  caFile: z.string(),
  tlsPort: z.number(),
  /** The world's first moment, ISO 8601. */
  epoch: z.string(),
  /** How many endpoints live in it. */
  endpoints: z.number(),
});

/** Where a running sandbox is found. */
export type SandboxReady = z.infer<typeof readySchema>;
