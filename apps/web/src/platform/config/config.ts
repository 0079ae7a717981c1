import { DEFAULT_VANTAGE, isVantage } from '@touchstone/trust';
import { z } from 'zod';
import { checkPaymentVariables, toPaymentConfig, paymentEnvironment } from './payment-config.ts';
import {
  DEFAULT_CONCURRENT_BATCHES,
  checkEmbedderVariables,
  concurrentBatchesSchema,
  documentEnvironment,
  embedderEnvironment,
  inngestEnvironment,
  metricsEnvironment,
  operatorEnvironment,
  probeEnvironment,
  toEmbedderConfig,
  toOptional,
  toProbeConfig,
} from './optional-config.ts';

/** Configuration of the web server. */
export type Config = ReturnType<typeof toConfig>;

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: string };

export type Environment = Readonly<Record<string, string | undefined>>;

const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const siteNoticeSchema = z.string().trim().max(200, 'must have at most 200 characters');

const vantageSchema = z.string().refine(isVantage, 'must have 1 to 40 printable characters');

const siteInstancesSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
  .transform(Number);

const trustedProxiesSchema = z.string().regex(/^\d$/, 'must be a whole number from 0 to 9').transform(Number);

/**
 * Environment variables of the web server. docs/operate.md is generated from the metadata of the schemas. A variable
 * that `apps/service` also reads has its description in the schema of `apps/service`.
 */
export const siteEnvironment = z
  .object({
    SUPABASE_URL: httpUrlSchema,
    SUPABASE_PUBLISHABLE_KEY: z.string({ error: 'must be set' }).min(1, 'must be set'),
    SUPABASE_SECRET_KEY: z.string({ error: 'must be set' }).min(1, 'must be set'),
    REPORT_SIGNING_KEYS: toOptional(z.string()),
    WATCH_ENCRYPTION_KEYS: toOptional(z.string()),
    INTERNAL_TOKEN: toOptional(z.string().min(16, 'must have at least 16 characters')).meta({
      description:
        'bearer token of the internal routes, at least 16 characters; without it, they respond with 404. The service creates its own at each start',
    }),
    BASE_URL: toOptional(httpUrlSchema),
    SITE_NOTICE: toOptional(siteNoticeSchema).meta({
      isPassedInLiveMode: true,
      description:
        'notice of at most 200 characters; its first sentence is at the top of every page, the whole notice on `/about`. `npm start` sets its own notice',
    }),
    SITE_INSTANCES: toOptional(siteInstancesSchema).meta({
      isPassedInLiveMode: true,
      defaultText: '`1`',
      description:
        'number of processes that serve the site; on a serverless host any number above 1. Several processes [tell each other which pages changed](decisions/0047-share-expired-tags-between-instances.md)',
    }),
    TRUSTED_PROXIES: toOptional(trustedProxiesSchema),
    VANTAGE: toOptional(vantageSchema),
    ...paymentEnvironment,
    ...probeEnvironment,
    ...embedderEnvironment,
    ...metricsEnvironment,
    ...documentEnvironment,
    ...operatorEnvironment,
    ...inngestEnvironment,
  })
  .superRefine(checkPaymentVariables)
  .superRefine(checkEmbedderVariables);

/**
 * Reads the configuration from environment variables.
 *
 * @returns The configuration, or an error text of one line. The text names each invalid variable and the reason, and it
 * never contains a value.
 */
export function readConfig(environment: Environment): ConfigResult {
  const parsed = siteEnvironment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      // In a Zod issue, the first element of `path` is the name of the variable. If an item of a list is invalid, the
      // index of the item follows.
      const name = String(path[0]);
      return environment[name] ? `${name} ${message}` : `${name} is missing`;
    });
    return { ok: false, problem: `Cannot start: ${problems.join('; ')}.` };
  }
  return { ok: true, config: toConfig(parsed.data) };
}

function toConfig(variables: z.output<typeof siteEnvironment>) {
  return {
    /** URL of the database API. */
    supabaseUrl: variables.SUPABASE_URL,
    supabasePublishableKey: variables.SUPABASE_PUBLISHABLE_KEY,
    /**
     * Secret database key for paid operations, the report preview, rate limits and the expirations of cached pages. The
     * data of pages is never read with this key.
     */
    supabaseSecretKey: variables.SUPABASE_SECRET_KEY,
    /** Keys that sign reports, as JSON (see `readSigningKeys`). Without these keys, reports are not signed. */
    reportSigningKeys: variables.REPORT_SIGNING_KEYS,
    /**
     * Keys that encrypt the secrets of watches in the database (see `parseWatchKeys`). The first key encrypts, and all
     * keys decrypt. Without keys, no watch can be created.
     */
    watchEncryptionKeys: variables.WATCH_ENCRYPTION_KEYS,
    /** Bearer token of the internal routes. Without a token, the internal routes respond with 404. */
    internalToken: variables.INTERNAL_TOKEN,
    /** Bearer token of the route for Prometheus. Without a token, the route responds with 404. */
    metricsToken: variables.METRICS_TOKEN,
    /** E-mail address or URL of the operator, for the OpenAPI document and the page about the operator. */
    apiContact: variables.API_CONTACT,
    /** E-mail address or URL for reports of vulnerabilities; without it, there is no `security.txt`. */
    securityContact: variables.SECURITY_CONTACT ?? variables.API_CONTACT,
    operatorName: variables.OPERATOR_NAME,
    privacyPolicyUrl: variables.PRIVACY_POLICY_URL,
    /** Text for agents in the OpenAPI document. Without a text, the document has a generated one. */
    apiGuidance: variables.API_GUIDANCE,
    /** CAIP-2 id of the payment network. It is set even if payments are disabled. */
    network: variables.X402_NETWORK,
    /** Payment settings; null if payments are disabled. */
    payment: toPaymentConfig(variables),
    /** RPC URLs by CAIP-2 id of the network. */
    rpcUrls: variables.RPC_URLS,
    /** Number of trusted proxies in front of the service. Each proxy appends an address to `X-Forwarded-For`. */
    trustedProxies: variables.TRUSTED_PROXIES ?? 0,
    vantage: variables.VANTAGE ?? DEFAULT_VANTAGE,
    probe: toProbeConfig(variables),
    embedder: toEmbedderConfig(variables),
  };
}

/**
 * Returns the configuration of this process.
 *
 * @throws Error that names the invalid variables. The server checks its configuration at start, so later calls never
 * throw.
 */
export function getConfig(): Config {
  const result = readConfig(process.env);
  if (!result.ok) throw new Error(result.problem);
  return result.config;
}

/**
 * Returns the public origin of the site. The build can also call this function, although it has no configuration.
 *
 * @returns The origin of `BASE_URL`, or `http://localhost` with the port if `BASE_URL` is not set.
 */
export function getSiteOrigin(environment: Environment): string {
  const base = URL.parse(environment['BASE_URL'] ?? '');
  return base?.origin ?? `http://localhost:${environment['PORT'] ?? '3000'}`;
}

/**
 * Reads one variable without a check of the other variables, because the build has no complete configuration. The
 * server does not start if the variable is invalid.
 *
 * @returns The value of the variable, or the fallback if the variable is not set or invalid.
 */
function readVariable<Value>(schema: z.ZodType<Value>, text: string | undefined, fallback: Value): Value {
  return text === '' ? fallback : (schema.safeParse(text).data ?? fallback);
}

/** Returns the notice of the operator for every page, for example in a sandbox; null without a notice. */
export function readSiteNotice(environment: Environment): string | null {
  return readVariable(siteNoticeSchema, environment['SITE_NOTICE'], '') || null;
}

/** Returns true if the endpoints and the payments of this service are those of the sandbox. */
export function isSandbox(environment: Environment): boolean {
  return (environment['SANDBOX_FILE'] ?? '') !== '';
}

/** Returns the maximum number of probe batches that Inngest runs at the same time on all workers together; default 4. */
export function readMaxConcurrentBatches(environment: Environment): number {
  const text = environment['INNGEST_BATCHES_AT_ONCE'];
  return readVariable(concurrentBatchesSchema, text, DEFAULT_CONCURRENT_BATCHES);
}

/** Returns the number of processes that serve this site; default 1. */
export function readSiteInstances(environment: Environment): number {
  return readVariable(siteInstancesSchema, environment['SITE_INSTANCES'], 1);
}

/** Returns true if one process serves this site. On Vercel, several processes can serve the site. */
export function isSingleInstance(environment: Environment): boolean {
  return readSiteInstances(environment) === 1 && environment['VERCEL'] !== '1';
}

/** Returns the location from which latency is measured; default `EU`. */
export function readVantage(environment: Environment): string {
  return readVariable(vantageSchema, environment['VANTAGE'], DEFAULT_VANTAGE);
}
