import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { liveConfig, liveEnvironment, type LiveConfig } from './live-config.ts';

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `it must be a whole number from ${min} to ${max}` })
    .int({ error: `it must be a whole number from ${min} to ${max}` })
    .min(min, { error: `it must be at least ${min}` })
    .max(max, { error: `it must be at most ${max}` });
const webAddress = z.url({ protocol: /^https?$/, error: 'it must be an http or https address' });

/** What an operator may set for the service on one machine. An unset or empty variable takes its default. */
const environment = z
  .object({
    PORT: wholeNumber(1, 65_535).default(3000),
    DATA_DIR: z.string().optional(),
    BASE_URL: webAddress.optional(),
    SUPABASE_URL: webAddress.optional(),
    SUPABASE_SECRET_KEY: z.string().min(1).optional(),
    SUPABASE_PUBLISHABLE_KEY: z.string().min(1).optional(),
    REPORT_SIGNING_KEYS: z.string().min(1).optional(),
    X402_PAY_TO: z.string().optional(),
    TRUSTED_PROXIES: wholeNumber(0, 8).default(0),
    SANDBOX_SEED: z.string().min(1).default('touchstone'),
    SANDBOX_DAYS: wholeNumber(0, 90).default(14),
    SANDBOX_LISTINGS: z.string().min(1).optional(),
    ...liveEnvironment,
  })
  .refine(
    (env) => new Set([!env.SUPABASE_URL, !env.SUPABASE_SECRET_KEY, !env.SUPABASE_PUBLISHABLE_KEY]).size === 1,
    {
      path: ['SUPABASE_URL'],
      message: 'it goes with SUPABASE_SECRET_KEY and SUPABASE_PUBLISHABLE_KEY: set all three, or none',
    },
  )
  .refine((env) => env.SANDBOX_LISTINGS === undefined || isReadable(env.SANDBOX_LISTINGS), {
    path: ['SANDBOX_LISTINGS'],
    message: 'the file cannot be read',
  });

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export interface ServiceConfig {
  readonly port: number;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** A Supabase project to use instead of the embedded database. */
  readonly supabase: { readonly url: string; readonly secret: string; readonly publishable: string } | null;
  /** Instead of those of the data folder. */
  readonly reportSigningKeys: string | null;
  /** How many proxies in front of the site add the address they see to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  readonly sandbox: { readonly seed: string; readonly days: number; readonly listings: string | null };
  /** Real directories and endpoints instead of the sandbox; null for the sandbox. */
  readonly live: LiveConfig | null;
}

/** Variables whose value is never repeated: RPC URLs often carry a key. */
const SECRETS: ReadonlySet<string> = new Set(['SUPABASE_SECRET_KEY', 'REPORT_SIGNING_KEYS', 'RPC_URLS']);

export type Mode = 'sandbox' | 'live';

/** What is made up never lies in one folder with what is real. */
const dataDirs: Record<Mode, string> = { sandbox: '.touchstone', live: '.touchstone-live' };

/** A mistake of the operator: its message is all that needs to be shown. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration of the service from environment variables.
 * @param mode the sandbox, or the public directories and real endpoints
 * @throws ConfigError naming the first variable that is wrong, and why.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  mode: Mode = 'sandbox',
): ServiceConfig {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join('.') ?? 'configuration';
    const said = SECRETS.has(name) ? name : `${name}=${set[name] ?? ''}`;
    throw new ConfigError(`${said} is not usable: ${issue?.message ?? 'invalid'}`);
  }
  const settings = parsed.data;
  // The site gets an address of this machine otherwise, and every challenge would send the buyers there.
  if (mode === 'live' && settings.X402_PAY_TO !== undefined && settings.BASE_URL === undefined) {
    throw new ConfigError('BASE_URL is not set: with X402_PAY_TO it must say where buyers reach the site');
  }
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secret, SUPABASE_PUBLISHABLE_KEY: publishable } = settings;
  return {
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR ?? dataDirs[mode]),
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    supabase: url && secret && publishable ? { url, secret, publishable } : null,
    reportSigningKeys: settings.REPORT_SIGNING_KEYS ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    sandbox: {
      seed: settings.SANDBOX_SEED,
      days: settings.SANDBOX_DAYS,
      listings: settings.SANDBOX_LISTINGS === undefined ? null : resolve(settings.SANDBOX_LISTINGS),
    },
    live: mode === 'live' ? liveConfig(settings, settings.BASE_URL ?? null) : null,
  };
}
