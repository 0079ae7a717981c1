import { z } from 'zod';

/** Schema of the message that a sandbox process sends once, when it is ready. */
export const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.string(),
  controlUrl: z.string(),
  /** HTTP URL of the page that shows the received webhooks and chat messages. */
  receiverUrl: z.string(),
  /** Path of the PEM file with the certificate authority that clients must trust. */
  caFile: z.string(),
  tlsPort: z.number(),
  /** Start of the simulated time, ISO 8601. */
  epoch: z.string(),
  /** Number of simulated endpoints. */
  endpoints: z.number(),
  /** JSON-RPC URL of each chain, by the CAIP-2 id of its network; null without a chain. */
  chainRpcUrls: z.record(z.string(), z.string()).nullable(),
  /** HTTP URL of the facilitator; null without a chain. */
  facilitatorUrl: z.string().nullable(),
  /** File of the agents' settled payments; null without a chain. */
  ledgerFile: z.string().nullable(),
  /** Reason why there is no chain, in one line; null with a chain. */
  chainMissing: z.string().nullable(),
});

/** Addresses and files of a running sandbox. */
export type SandboxReady = z.infer<typeof readySchema>;
