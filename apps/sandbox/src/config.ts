import { z } from 'zod';
import type { RequestedSettings } from './data-folder/simulation-settings.ts';
import { createWholeNumberSchema } from './parsing/whole-number.ts';
import { StartupError } from './startup-error.ts';

export interface SandboxConfig extends RequestedSettings {
  readonly dataDir: string;
  /** True when the sandbox runs a chain on which endpoints can be paid. */
  readonly chain: boolean;
  /** File of recorded items of a discovery directory, or null. */
  readonly listingsFile: string | null;
  /** Port of the endpoints' TLS server. In this and the other port settings, 0 selects any free port. */
  readonly tlsPort: number;
  readonly directoryPort: number;
  readonly controlPort: number;
  /** Port of the page that shows received webhooks and chat messages. */
  readonly receiverPort: number;
}

const port = createWholeNumberSchema(0, 65_535).default(0);

const environmentSchema = z.object({
  SANDBOX_DATA_DIR: z.string('is required: set it to the data folder'),
  SANDBOX_SEED: z.string().optional(),
  SANDBOX_EPOCH: z.iso
    .datetime({
      offset: true,
      error: ({ input }) => `must be an ISO 8601 time with a time zone; received ${String(input)}`,
    })
    .optional(),
  SANDBOX_HISTORY_DAYS: createWholeNumberSchema(0, 3_650).default(14),
  SANDBOX_CHAIN: z
    .enum(['on', 'off'], { error: ({ input }) => `must be on or off; received ${String(input)}` })
    .default('on'),
  SANDBOX_LISTINGS: z.string().optional(),
  SANDBOX_TLS_PORT: port,
  SANDBOX_DIRECTORY_PORT: port,
  SANDBOX_CONTROL_PORT: port,
  SANDBOX_RECEIVER_PORT: port,
});

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 * @throws StartupError that lists every missing or invalid variable
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): SandboxConfig => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success)
    throw new StartupError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    );
  return {
    dataDir: parsed.data.SANDBOX_DATA_DIR,
    seed: parsed.data.SANDBOX_SEED ?? null,
    epoch: parsed.data.SANDBOX_EPOCH ?? null,
    historyDays: parsed.data.SANDBOX_HISTORY_DAYS,
    chain: parsed.data.SANDBOX_CHAIN === 'on',
    listingsFile: parsed.data.SANDBOX_LISTINGS ?? null,
    tlsPort: parsed.data.SANDBOX_TLS_PORT,
    directoryPort: parsed.data.SANDBOX_DIRECTORY_PORT,
    controlPort: parsed.data.SANDBOX_CONTROL_PORT,
    receiverPort: parsed.data.SANDBOX_RECEIVER_PORT,
  };
};
