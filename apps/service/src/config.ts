import { resolve } from 'node:path';
import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65_535);
const count = z.coerce.number().int().min(0).max(90);

/** What an operator may set for the service on one machine. An unset or empty variable takes its default. */
const environment = z
  .object({
    PORT: port.default(3000),
    DATA_DIR: z.string().default('.touchstone'),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    SUPABASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    SUPABASE_SECRET_KEY: z.string().min(1).optional(),
    SUPABASE_PUBLISHABLE_KEY: z.string().min(1).optional(),
    SANDBOX_SEED: z.string().min(1).default('touchstone'),
    SANDBOX_DAYS: count.default(14),
    SANDBOX_LISTINGS: z.string().min(1).optional(),
  })
  .refine((env) => !env.SUPABASE_URL || (env.SUPABASE_SECRET_KEY && env.SUPABASE_PUBLISHABLE_KEY), {
    path: ['SUPABASE_URL'],
    message: 'needs SUPABASE_SECRET_KEY and SUPABASE_PUBLISHABLE_KEY beside it',
  });

export interface ServiceConfig {
  readonly port: number;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** A Supabase project to use instead of the embedded database. */
  readonly supabase: { readonly url: string; readonly secret: string; readonly publishable: string } | null;
  readonly sandbox: { readonly seed: string; readonly days: number; readonly listings: string | null };
}

/** A mistake of the operator: its message is all that needs to be shown. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration of the service from environment variables.
 * @throws ConfigError naming the first variable that is wrong, and why.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join('.') ?? 'configuration';
    throw new ConfigError(`${name}=${set[name] ?? ''} is not usable: ${issue?.message ?? 'invalid'}`);
  }
  const settings = parsed.data;
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secret, SUPABASE_PUBLISHABLE_KEY: publishable } = settings;
  return {
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR),
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    supabase: url && secret && publishable ? { url, secret, publishable } : null,
    sandbox: {
      seed: settings.SANDBOX_SEED,
      days: settings.SANDBOX_DAYS,
      listings: settings.SANDBOX_LISTINGS === undefined ? null : resolve(settings.SANDBOX_LISTINGS),
    },
  };
}
