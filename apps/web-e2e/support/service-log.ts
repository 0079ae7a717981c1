import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Log entry that `apps/service/src/service.ts` writes when all parts of the service have started. */
const startedSchema = z.object({
  msg: z.literal('All parts have started'),
  /** URL of the database API. */
  database: z.url(),
  /** Chains of the sandbox. They are null in live mode, and on platforms for which npm has no chain program. */
  chains: z
    .object({
      /** JSON-RPC URLs by the CAIP-2 id of the network. */
      rpcUrls: z.record(z.string(), z.url()),
      facilitatorUrl: z.url(),
      ledgerFile: z.string(),
    })
    .nullable(),
  /** URL of the sandbox page that shows the received alerts of watches. It is null in live mode. */
  receiver: z.url().nullable(),
});

/** Addresses of the database, the chains and the receiver of a running service. */
export type StartedEntry = z.infer<typeof startedSchema>;

/**
 * Reads the addresses of a running service from the log in its data folder. The log has one JSON object per line.
 *
 * @throws Error if the service has not logged its start.
 */
export function readStartedEntry(dataDir: string): StartedEntry {
  const lines = readFileSync(join(dataDir, 'logs', 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'));
  const entries = lines.flatMap((line) => startedSchema.safeParse(JSON.parse(line)).data ?? []);
  const last = entries.at(-1);
  if (last === undefined) throw new Error(`${dataDir}: the service has not logged its start`);
  return last;
}
