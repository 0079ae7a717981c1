import { DEFAULT_VANTAGE, isVantage } from '@touchstone/trust';
import { z } from 'zod';
import {
  checkPaymentVariables,
  toPaymentConfig,
  paymentEnvironment,
  type PaymentConfig,
} from './payment-config.ts';
import { toProbeConfig, probeEnvironment, type ProbeConfig } from './probe-config.ts';

/** What the pages need to know about where they run. */
export interface Config {
  /** The address of the database. */
  readonly supabaseUrl: string;
  readonly supabasePublishableKey: string;
  /** For what is sold, and its preview: never for pages. */
  readonly supabaseSecretKey: string;
  /** JSON, as `readSigningKeys` takes it; reports are not signed without it. */
  readonly reportSigningKeys: string | undefined;
  /** Guards the internal routes; they do not exist without it. */
  readonly internalToken: string | undefined;
  /** CAIP-2 id of the network that is paid on, also where nothing is sold. */
  readonly network: string;
  /** How what is sold is paid; null where nothing is sold. */
  readonly payment: PaymentConfig | null;
  /** How many parties in front of this process add the address they see to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** Location from which latency is measured. Reports and pages name it. */
  readonly vantage: string;
  readonly probe: ProbeConfig;
}

export type ConfigResult =
  { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly problem: string };

type Environment = Readonly<Record<string, string | undefined>>;

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const siteNoticeSchema = z.string().trim().max(200, 'must have at most 200 characters');

const concurrentBatchesSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
  .transform(Number);
/** Enough for tens of thousands of endpoints; docs/scale.md says how many a million need. */
const DEFAULT_CONCURRENT_BATCHES = 4;

const vantageSchema = z.string().refine(isVantage, 'must have 1 to 40 printable characters');

const trustedProxiesSchema = z.string().regex(/^\d$/, 'must be a whole number from 0 to 9').transform(Number);

const environmentSchema = z
  .object({
    SUPABASE_URL: httpUrlSchema,
    SUPABASE_PUBLISHABLE_KEY: z.string({ error: 'must be set' }).min(1, 'must be set'),
    SUPABASE_SECRET_KEY: z.string({ error: 'must be set' }).min(1, 'must be set'),
    REPORT_SIGNING_KEYS: optional(z.string()),
    INTERNAL_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
    BASE_URL: optional(httpUrlSchema),
    SITE_NOTICE: optional(siteNoticeSchema),
    INNGEST_BATCHES_AT_ONCE: optional(concurrentBatchesSchema),
    TRUSTED_PROXIES: optional(trustedProxiesSchema),
    VANTAGE: optional(vantageSchema),
    ...paymentEnvironment,
    ...probeEnvironment,
  })
  .superRefine(checkPaymentVariables);

/**
 * Reads the configuration from environment variables.
 *
 * @returns The configuration, or one line that says which variable is wrong and why. The line never holds a value.
 */
export function readConfig(environment: Environment): ConfigResult {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      // A list is one variable, whichever of its parts is wrong.
      const name = String(path[0]);
      return environment[name] ? `${name} ${message}` : `${name} is missing`;
    });
    return { ok: false, problem: `Cannot start: ${problems.join('; ')}.` };
  }
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY, ...rest } = parsed.data;
  return {
    ok: true,
    config: {
      supabaseUrl: SUPABASE_URL,
      supabasePublishableKey: SUPABASE_PUBLISHABLE_KEY,
      supabaseSecretKey: SUPABASE_SECRET_KEY,
      reportSigningKeys: rest.REPORT_SIGNING_KEYS,
      internalToken: rest.INTERNAL_TOKEN,
      network: rest.X402_NETWORK,
      payment: toPaymentConfig(rest),
      trustedProxies: rest.TRUSTED_PROXIES ?? 0,
      vantage: rest.VANTAGE ?? DEFAULT_VANTAGE,
      probe: toProbeConfig(rest),
    },
  };
}

/**
 * The configuration of this process.
 *
 * @throws Error naming the wrong variable. A server that started has none: it reads its configuration first.
 */
export function getConfig(): Config {
  const result = readConfig(process.env);
  if (!result.ok) throw new Error(result.problem);
  return result.config;
}

/**
 * The public address of the site, without a path. The build, which has no configuration, may ask for it too.
 *
 * @returns The origin of `BASE_URL`, or this machine's own address when it is not set.
 */
export function getSiteOrigin(environment: Environment): string {
  const base = URL.parse(environment['BASE_URL'] ?? '');
  return base?.origin ?? `http://localhost:${environment['PORT'] ?? '3000'}`;
}

/**
 * What the operator has to say on every page, such as that what it shows is a sandbox. The build, which has no
 * configuration, may ask for it too; a notice that is too long stops the server before it takes requests.
 *
 * @returns The text of `SITE_NOTICE`, or null when there is none.
 */
export function readSiteNotice(environment: Environment): string | null {
  const { data } = siteNoticeSchema.safeParse(environment['SITE_NOTICE']);
  return data ? data : null;
}

/**
 * How many batches of probes Inngest runs at the same time, over all workers. The build, which has no configuration,
 * may ask for it too; a wrong number stops the server before it takes requests.
 *
 * @returns `INNGEST_BATCHES_AT_ONCE`, or 4 when it is not set.
 */
export function readMaxConcurrentBatches(environment: Environment): number {
  const { data } = concurrentBatchesSchema.safeParse(environment['INNGEST_BATCHES_AT_ONCE']);
  return data ?? DEFAULT_CONCURRENT_BATCHES;
}

/**
 * Returns the location from which latency is measured. The build has no configuration, so pages use this function. An
 * invalid value stops the server before it accepts requests.
 *
 * @returns `VANTAGE`, or `EU` if it is not set
 */
export function readVantage(environment: Environment): string {
  const { data } = vantageSchema.safeParse(environment['VANTAGE']);
  return data ?? DEFAULT_VANTAGE;
}
