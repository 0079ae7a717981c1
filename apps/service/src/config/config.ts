import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_NETWORK } from '@touchstone/x402/networks';
import { DEFAULT_VANTAGE, isVantage } from '@touchstone/trust';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { z } from 'zod';
import { liveEnvironment, toLiveConfig } from './live-config.ts';

/** Allowed values of `SANDBOX_NETWORK`: Base and Base Sepolia, which is a test network. */
const SANDBOX_NETWORKS = [DEFAULT_NETWORK, 'eip155:84532'] as const;

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const WATCH_KEYS_ERROR = 'must have one or more keys of 32 bytes in base64url, separated by spaces';

function areWatchKeys(text: string): boolean {
  try {
    createCipher(parseWatchKeys(text));
    return true;
  } catch {
    return false;
  }
}

/**
 * Environment variables of the one-machine service. An unset or empty variable takes its default. The table in
 * docs/operate.md is generated from the metadata; `npm run docs:environment` writes it.
 */
export const environment = z
  .object({
    PORT: wholeNumber(1, 65_535).default(3000).meta({ description: 'port of the site' }),
    // Not HOST: some shells and compilers set that variable to the name of the machine.
    LISTEN_ADDRESS: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }).optional().meta({
      defaultText: '`127.0.0.1`; `npm run live`: all addresses',
      description:
        'IP address on which the site listens; `0.0.0.0` for all, for example in a container. All other sockets of the service always listen on 127.0.0.1',
    }),
    DATA_DIR: z.string().optional().meta({
      defaultText: '`.touchstone`; `npm run live`: `.touchstone-live`',
      description: 'folder of the database, keys and logs; one service at a time',
    }),
    BASE_URL: httpUrl.optional().meta({
      defaultText: '`http://localhost:PORT`',
      description:
        'public address of the site, for challenges, canonical links and the User-Agent. Required if `X402_PAY_TO` is set',
    }),
    SUPABASE_URL: httpUrl.optional().meta({
      defaultText: 'embedded database',
      description: 'URL of the Supabase project; set all three `SUPABASE_` variables',
    }),
    SUPABASE_SECRET_KEY: z.string().min(1).optional().meta({
      description: 'secret key of the project, for jobs and paid operations',
    }),
    SUPABASE_PUBLISHABLE_KEY: z.string().min(1).optional().meta({
      description: 'publishable key of the project, with which pages read the database',
    }),
    EMBEDDER: z
      .enum(['local', 'supabase', 'none'], { error: 'must be local, supabase or none' })
      .default('local')
      .meta({
        description:
          'embeds texts for the search by purpose: `local` in a process on this machine, `supabase` in the edge function `embed`, `none` not at all. On a site without the service also the http(s) URL of an embedder process',
      }),
    REPORT_SIGNING_KEYS: z.string().min(1).optional().meta({
      defaultText: 'created in `DATA_DIR`; site: none',
      description:
        'Ed25519 keys that sign reports: a private JWK, or a JWK set whose first key signs. Without keys, reports are not signed ([rotation](#key-rotation))',
    }),
    WATCH_ENCRYPTION_KEYS: z.string().refine(areWatchKeys, { error: WATCH_KEYS_ERROR }).optional().meta({
      defaultText: 'created in `DATA_DIR`; site: none',
      description:
        'keys that encrypt the secrets of watches, each 32 bytes in base64url, separated by spaces. Without keys, no watch is sold and no event is delivered ([rotation](#key-rotation))',
    }),
    X402_PAY_TO: z.string().optional(),
    // The site allows at most 9 trusted proxies. start-site.ts adds one to this number, so it must be at most 8.
    TRUSTED_PROXIES: wholeNumber(0, 8).default(0).meta({
      description:
        'number of proxies in front of the site that append the client address to `X-Forwarded-For` ([client addresses](decisions/0025-limit-requests-by-client-address.md)). Not needed on Vercel',
    }),
    VANTAGE: z
      .string()
      .refine(isVantage, { error: 'must have 1 to 40 printable characters' })
      .default(DEFAULT_VANTAGE)
      .meta({
        description:
          'location from which latency is measured, shown in reports and on endpoint pages; 1 to 40 printable characters',
      }),
    SITE_HEAP_MIB: wholeNumber(256, 65_536).default(384).meta({
      description:
        'maximum size of the JavaScript heap of the site, in MiB, without its young generation ([memory](#on-one-machine))',
    }),
    SITE_BUILD: z
      .enum(['auto', 'skip'], { error: 'must be auto or skip' })
      .default('auto')
      .meta({ description: '`skip` starts the site from its existing build' }),
    SANDBOX_SEED: z
      .string()
      .min(1)
      .default('touchstone')
      .meta({ description: "seed of the sandbox's behavior" }),
    SANDBOX_DAYS: wholeNumber(0, 90)
      .default(14)
      .meta({ description: 'days that the sandbox simulates on its first start; 0 for none' }),
    // The sandbox process reads this variable. The service only checks it, before it starts any process.
    SANDBOX_CHAIN: z
      .enum(['on', 'off'], { error: 'must be on or off' })
      .default('on')
      .meta({ description: '`off` runs the sandbox without a chain and without payments' }),
    SANDBOX_NETWORK: z
      .enum(SANDBOX_NETWORKS, { error: `must be ${SANDBOX_NETWORKS.join(' or ')}` })
      .default(DEFAULT_NETWORK)
      .meta({
        description:
          'CAIP-2 id of the network on which the sandbox sells reports: Base, or the test network Base Sepolia',
      }),
    SANDBOX_LISTINGS: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'a file of recorded directory items to list after those of the sandbox' }),
    ...liveEnvironment,
  })
  .refine(
    (env) => new Set([!env.SUPABASE_URL, !env.SUPABASE_SECRET_KEY, !env.SUPABASE_PUBLISHABLE_KEY]).size === 1,
    {
      path: ['SUPABASE_URL'],
      message: 'must be set together with SUPABASE_SECRET_KEY and SUPABASE_PUBLISHABLE_KEY',
    },
  )
  .refine((env) => env.EMBEDDER !== 'supabase' || env.SUPABASE_URL !== undefined, {
    path: ['EMBEDDER'],
    message: 'must be local or none without SUPABASE_URL',
  })
  .refine((env) => (env.DELIVERY_KEY === undefined) === (env.DELIVERY_BUDGET === undefined), {
    path: ['DELIVERY_KEY'],
    message: 'must be set together with DELIVERY_BUDGET',
  })
  .refine((env) => env.DELIVERY_KEY?.address.toLowerCase() !== (env.X402_PAY_TO ?? '').toLowerCase(), {
    path: ['DELIVERY_KEY'],
    message: 'must be the key of another wallet than X402_PAY_TO',
  })
  .refine((env) => env.SANDBOX_LISTINGS === undefined || isReadable(env.SANDBOX_LISTINGS), {
    path: ['SANDBOX_LISTINGS'],
    message: 'must be a readable file',
  });

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Environment variables whose values are never printed. `RPC_URLS` is included because RPC URLs often contain a key.
 */
const SECRETS: ReadonlySet<string> = new Set([
  'SUPABASE_SECRET_KEY',
  'REPORT_SIGNING_KEYS',
  'WATCH_ENCRYPTION_KEYS',
  'DELIVERY_KEY',
  'RPC_URLS',
]);

export type Mode = 'sandbox' | 'live';

/** Default data folders. Simulated and real data are never stored in the same folder. */
const DEFAULT_DATA_DIRS: Record<Mode, string> = { sandbox: '.touchstone', live: '.touchstone-live' };

/** Configuration error. It is printed without a stack trace, because the message is enough for the operator. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

function toConfigError(error: z.ZodError, set: Readonly<Record<string, string | undefined>>): ConfigError {
  const [issue] = error.issues;
  const name = String(issue?.path[0] ?? 'The configuration');
  const message = issue?.message ?? 'invalid';
  const value = set[name];
  const received = value === undefined || SECRETS.has(name) ? '' : `; received ${value}`;
  // A message that begins with "must" directly follows the name of the variable. Before any other message, "is
  // invalid:" is inserted, because the message may be a complete sentence.
  return new ConfigError(`${name}${message.startsWith('must ') ? '' : ' is invalid:'} ${message}${received}`);
}

/**
 * Reads the configuration of the service from environment variables.
 *
 * @param mode sandbox, or live for public directories and real endpoints
 * @throws ConfigError with the name of the first invalid variable, the expected value and the received value
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, mode: Mode = 'sandbox') {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (!parsed.success) throw toConfigError(parsed.error, set);
  const settings = parsed.data;
  // Challenges contain BASE_URL. The default of BASE_URL is a localhost address, and buyers cannot reach that address.
  // So BASE_URL must be set for real payments.
  if (mode === 'live' && settings.X402_PAY_TO !== undefined && settings.BASE_URL === undefined) {
    throw new ConfigError('BASE_URL is not set. With X402_PAY_TO it must be the public address of the site.');
  }
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secret, SUPABASE_PUBLISHABLE_KEY: publishable } = settings;
  return {
    port: settings.PORT,
    /**
     * IP address on which the site listens; null for all addresses of this machine. The sandbox listens on 127.0.0.1 by
     * default, because anyone who reaches it can use its demo wallet.
     */
    listenAddress: settings.LISTEN_ADDRESS ?? (mode === 'sandbox' ? '127.0.0.1' : null),
    dataDir: resolve(settings.DATA_DIR ?? DEFAULT_DATA_DIRS[mode]),
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    /** Supabase project that replaces the embedded database; null for the embedded database. */
    supabase: url && secret && publishable ? { url, secret, publishable } : null,
    embedder: settings.EMBEDDER,
    /** Signing keys that replace the signing keys in the data folder; null to use the keys in the folder. */
    reportSigningKeys: settings.REPORT_SIGNING_KEYS ?? null,
    /** Encryption keys for the secrets of watches; null to use the keys in the data folder. */
    watchEncryptionKeys: settings.WATCH_ENCRYPTION_KEYS ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    vantage: settings.VANTAGE,
    /** Maximum size of the JavaScript heap of the site, in MiB. */
    siteHeapMib: settings.SITE_HEAP_MIB,
    /** True to start the site from its existing build, without a check whether the build is up to date. */
    isSiteBuilt: settings.SITE_BUILD === 'skip',
    sandbox: {
      seed: settings.SANDBOX_SEED,
      days: settings.SANDBOX_DAYS,
      listings: settings.SANDBOX_LISTINGS === undefined ? null : resolve(settings.SANDBOX_LISTINGS),
      network: settings.SANDBOX_NETWORK,
    },
    /** Settings for public directories and real endpoints; null in sandbox mode. */
    live: mode === 'live' ? toLiveConfig(settings, settings.BASE_URL ?? null) : null,
  };
}

/** Configuration of the service. The schema of the environment variables describes the values. */
export type ServiceConfig = Readonly<ReturnType<typeof readConfig>>;
