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
  /** The chain's JSON-RPC server, the facilitator over HTTP and the file of what agents paid; null without a chain. */
  chainRpcUrl: z.string().nullable(),
  facilitatorUrl: z.string().nullable(),
  ledgerFile: z.string().nullable(),
  /** Why there is no chain, in one line; null when there is one. */
  chainMissing: z.string().nullable(),
});

/** Where a running sandbox is found. */
export type SandboxReady = z.infer<typeof readySchema>;
