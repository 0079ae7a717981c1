import { z } from 'zod';
import { StartupError } from './startup-error.ts';
import { wholeNumber } from './whole-number.ts';
import type { WorldWishes } from './world.ts';

export interface SandboxConfig extends WorldWishes {
  readonly dataDir: string;
  /** Whether there is a chain on which the endpoints are really paid. */
  readonly chain: boolean;
  /** File of recorded listings, or null. */
  readonly listingsFile: string | null;
  /** 0: any free one. */
  readonly tlsPort: number;
  readonly directoryPort: number;
  readonly controlPort: number;
}

const port = wholeNumber(0, 65_535).default(0);

const environmentSchema = z.object({
  SANDBOX_DATA_DIR: z.string('is required: the folder the world is kept in'),
  SANDBOX_SEED: z.string().optional(),
  SANDBOX_EPOCH: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its zone' }).optional(),
  SANDBOX_HISTORY_DAYS: wholeNumber(0, 3_650).default(14),
  SANDBOX_CHAIN: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SANDBOX_LISTINGS: z.string().optional(),
  SANDBOX_TLS_PORT: port,
  SANDBOX_DIRECTORY_PORT: port,
  SANDBOX_CONTROL_PORT: port,
});

/**
 * Reads the configuration from environment variables; an empty one counts as unset.
 * @throws StartupError naming every variable that is missing or wrong
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
  };
};
