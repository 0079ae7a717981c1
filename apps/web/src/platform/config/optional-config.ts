import { z } from 'zod';

/** Returns a schema that treats an empty variable as unset. */
export const treatEmptyAsUnset = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

/** Creates the schema of an optional variable. An empty variable counts as unset. */
export const toOptional = <Schema extends z.ZodType>(schema: Schema) => treatEmptyAsUnset(schema.optional());

const optionalText = toOptional(z.string());

/** Schema of the maximum number of probe batches that run at the same time. */
export const concurrentBatchesSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
  .transform(Number);

/**
 * Default number of probe batches that run at the same time. The default is enough for tens of thousands of endpoints;
 * docs/scale.md has the number for a million endpoints.
 */
export const DEFAULT_CONCURRENT_BATCHES = 4;

/** Base URLs of directories. Only the jobs that Inngest runs need these URLs. */
export const directoryUrlsSchema = z
  .string({ error: 'must contain at least one directory URL, separated by spaces' })
  .transform((text) => text.split(/\s+/).filter((url) => url !== ''))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

/**
 * Environment variables of a site if Inngest runs its jobs. Some `INNGEST_` variables accept any text, because the
 * library `inngest` reads these variables itself. The jobs parse `DIRECTORY_URLS` when they start.
 */
export const inngestEnvironment = {
  INNGEST_SIGNING_KEY: optionalText.meta({
    description:
      'key with which Inngest signs its requests. Without it, `/api/inngest` responds with 404 and runs no job',
  }),
  INNGEST_SIGNING_KEY_FALLBACK: optionalText.meta({
    description: 'previous signing key, accepted as well during a [rotation](#key-rotation)',
  }),
  INNGEST_EVENT_KEY: optionalText.meta({
    description: 'key with which the site sends events to Inngest, which start the batches',
  }),
  INNGEST_BASE_URL: optionalText.meta({
    defaultText: "Inngest's cloud",
    description: 'base URL of a self-hosted Inngest server',
  }),
  INNGEST_BATCHES_AT_ONCE: toOptional(concurrentBatchesSchema).meta({
    defaultText: `\`${String(DEFAULT_CONCURRENT_BATCHES)}\``,
    description:
      'maximum number of probe batches that run at the same time, each with 48 probes in flight ([for a million endpoints](scale.md))',
  }),
  DIRECTORY_URLS: z.string().optional().meta({
    description: 'base URLs of directories, separated by spaces. The jobs need at least one',
  }),
  DELIVERY_KEY: z.string().optional(),
  DELIVERY_BUDGET: z.string().optional(),
  DELIVERY_SKIP: z.string().optional(),
};

/** Embedder of the semantic search. With `none`, the search and the alternatives to new endpoints are unavailable. */
type EmbedderConfig =
  | { readonly kind: 'supabase' }
  | { readonly kind: 'none' }
  | { readonly kind: 'process'; readonly url: string; readonly token: string };

const isEmbedder = (text: string): boolean =>
  text === 'supabase' || text === 'none' || z.url({ protocol: /^https?$/ }).safeParse(text).success;

const embedderSchema = z
  .string()
  .refine(isEmbedder, {
    error: 'must be supabase, none, or the http or https address of an embedder',
    // If EMBEDDER is invalid, zod stops here. Otherwise a second error would say that EMBEDDER_TOKEN is missing.
    abort: true,
  })
  .default('supabase');

/**
 * Schema of a token that is sent in an HTTP header. An error about an invalid header would show the token, so the
 * schema checks the characters of the token.
 */
const tokenSchema = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters: letters, digits and punctuation of ASCII');

/** Environment variables of the embedder. `apps/service` sets these variables if it runs an embedder itself. */
export const embedderEnvironment = {
  EMBEDDER: treatEmptyAsUnset(embedderSchema),
  EMBEDDER_TOKEN: toOptional(tokenSchema).meta({
    description:
      'token that the site sends to the embedder process at the URL `EMBEDDER`, at least 16 characters. The service creates its own',
  }),
};

type EmbedderVariables = z.output<z.ZodObject<typeof embedderEnvironment>>;

/** Checks that the address of an embedder has a token. */
export function checkEmbedderVariables(
  { EMBEDDER: embedder, EMBEDDER_TOKEN: token }: EmbedderVariables,
  context: z.RefinementCtx,
): void {
  if (embedder === 'supabase' || embedder === 'none' || token !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['EMBEDDER_TOKEN'],
    message: 'must be set if EMBEDDER is an address',
  });
}

/** Converts environment variables to the settings of the embedder. */
export function toEmbedderConfig({
  EMBEDDER: embedder,
  EMBEDDER_TOKEN: token,
}: EmbedderVariables): EmbedderConfig {
  if (embedder === 'supabase' || embedder === 'none') return { kind: embedder };
  // `checkEmbedderVariables` refuses an address without a token.
  return { kind: 'process', url: embedder, token: token ?? '' };
}

const wordList = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''));

/** Environment variables of the live probe. `apps/service` sets these variables to the settings of its own probes. */
export const probeEnvironment = {
  SANDBOX_FILE: optionalText.meta({
    description: 'file with the addresses of the sandbox; only its endpoints are probed then. For tests only',
  }),
  PROBE_USER_AGENT: optionalText.meta({
    defaultText: '`Touchstone/0.1` with `BASE_URL`',
    description: 'User-Agent of probes. The service sets it with `SITE_URL`',
  }),
  CANARY_URLS: wordList.pipe(
    z.array(z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })),
  ),
  NAME_SERVERS: wordList,
  ALLOW_PRIVATE: z.enum(['', 'for-tests'], { error: 'must be empty or "for-tests"' }).default(''),
};

type ProbeVariables = z.output<z.ZodObject<typeof probeEnvironment>>;

/** Converts environment variables to the settings of the live probe that is made for a paid report. */
export function toProbeConfig(variables: ProbeVariables) {
  const { NAME_SERVERS: nameServers } = variables;
  return {
    /** Path of the file with the addresses of the sandbox. If the path is set, only sandbox endpoints are probed. */
    sandboxFile: variables.SANDBOX_FILE,
    userAgent: variables.PROBE_USER_AGENT,
    /** URLs that are expected to respond whenever this machine has network access. */
    canaryUrls: variables.CANARY_URLS,
    /** Name servers for probes; defaults to the name servers of the system. */
    nameServers: nameServers.length === 0 ? undefined : nameServers,
    /** True if private IP addresses may be probed. For tests only. */
    allowPrivate: variables.ALLOW_PRIVATE === 'for-tests',
  };
}

/** Schema of the contact, in the form of the OpenAPI document. */
const contactSchema = z.union(
  [
    z.email().transform((email) => ({ email })),
    z.url({ protocol: /^https?$/ }).transform((url) => ({ url })),
  ],
  'must be an e-mail address, or an http or https address',
);

/** Maximum length of the guidance for agents, in characters. `@agentcash/discovery` warns about longer texts. */
const MAX_GUIDANCE_CHARACTERS = 4_000;

/** Environment variables of the page about the operator, and of `/.well-known/security.txt`. */
export const operatorEnvironment = {
  OPERATOR_NAME: toOptional(z.string().trim().min(1).max(100, 'must have at most 100 characters')).meta({
    isPassedInLiveMode: true,
    description: 'name of the person or company that runs the service, shown on `/about`',
  }),
  PRIVACY_POLICY_URL: toOptional(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  ).meta({
    isPassedInLiveMode: true,
    description: 'privacy policy of the operator, linked on `/about`',
  }),
  SECURITY_CONTACT: toOptional(contactSchema).meta({
    isPassedInLiveMode: true,
    defaultText: '`API_CONTACT`',
    description:
      'e-mail address or URL for reports of vulnerabilities, in `/.well-known/security.txt`. Without both contacts, the file does not exist',
  }),
};

/** E-mail address or URL of a contact. */
export type Contact = z.output<typeof contactSchema>;

/** Environment variables of the OpenAPI document. */
export const documentEnvironment = {
  API_CONTACT: toOptional(contactSchema).meta({
    isPassedInLiveMode: true,
    description:
      'e-mail address or URL of the operator, shown on `/about`, and to agents and directories in `/openapi.json`',
  }),
  API_GUIDANCE: toOptional(
    z
      .string()
      .trim()
      .refine(
        ({ length }) => length > 0 && length <= MAX_GUIDANCE_CHARACTERS,
        'must have 1 to 4,000 characters',
      ),
  ).meta({
    isPassedInLiveMode: true,
    defaultText: 'what to call first, and all prices',
    description: 'text for agents in `/openapi.json` (`x-guidance`), at most 4,000 characters',
  }),
};

/** Environment variables of the route for Prometheus. */
export const metricsEnvironment = {
  METRICS_TOKEN: toOptional(tokenSchema).meta({
    isPassedInLiveMode: true,
    description:
      'bearer token of `/api/metrics`, at least 16 characters; without it, the route responds with 404 ([monitoring](operations/README.md))',
  }),
};
