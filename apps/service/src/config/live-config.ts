import { isIP } from 'node:net';
import { parseDirectorySource, PUBLIC_DIRECTORIES, type DirectorySource } from '@touchstone/catalog';
import {
  deliveryBudgetSchema,
  deliveryKeySchema,
  deliverySkipSchema,
  rpcSettingsSchema,
  toPurchaseSettings,
} from '@touchstone/pipeline';
import { z } from 'zod';

/** Default canary URLs: public sites of three different operators. */
const DEFAULT_CANARY_URLS = 'https://example.com/ https://one.one.one.one/ https://www.wikipedia.org/';

const splitList = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '');
const RATE_ERROR = 'must be a number from 0.1 to 200';
const rate = z.coerce
  .number({ error: RATE_ERROR })
  .min(0.1, { error: RATE_ERROR })
  .max(200, { error: RATE_ERROR });

const directories = z.string().transform((text, context): DirectorySource[] => {
  const parsed = splitList(text).map((item) => ({ item, source: parseDirectorySource(item) }));
  const invalid = parsed.find(({ source }) => source === null);
  const sources = parsed.flatMap(({ source }) => (source === null ? [] : [source]));
  const names = new Set(sources.map(({ name }) => name));
  if (invalid !== undefined)
    context.addIssue(`must list directories as name=https://…?limit=100, and ${invalid.item} is not one`);
  else if (sources.length === 0) context.addIssue('must list at least one directory');
  else if (names.size < sources.length) context.addIssue('must not list two directories with the same name');
  return sources;
});

const canaries = z
  .string()
  .transform(splitList)
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be a list of http or https URLs' })));

/** IP address with or without a port: `1.2.3.4`, `1.2.3.4:53`, `::1` or `[::1]:53`. */
const SERVER_ADDRESS = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))$/i;

function isNameServer(text: string): boolean {
  const [, ...addresses] = SERVER_ADDRESS.exec(text) ?? [];
  return isIP(addresses.find(Boolean) ?? '') !== 0;
}

const nameServers = z
  .string()
  .transform(splitList)
  .pipe(
    z.array(
      z.string().refine(isNameServer, { error: 'must be a list of IP addresses, with or without a port' }),
    ),
  );

/** Schemas of the environment variables of live mode. An unset variable takes its default. */
export const liveEnvironment = {
  DIRECTORIES: directories.optional().meta({
    defaultText: 'the [public directories](#npm-run-live)',
    description: 'directories, separated by spaces: `https://…` or `name=https://…?limit=100`',
  }),
  SITE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .meta({ defaultText: '`BASE_URL`, if set', description: 'page that the User-Agent of probes names' }),
  PROBES_PER_SECOND: rate.default(10).meta({ description: 'probes started per second, in total' }),
  PROBES_PER_HOST_PER_SECOND: rate.default(1).meta({ description: 'probes started per second at one host' }),
  CANARY_URLS: canaries.prefault(DEFAULT_CANARY_URLS).meta({
    defaultText: 'the [three canaries](#npm-run-live); site: none',
    description:
      'third-party URLs that respond whenever this machine has a network connection. If none of them responds, failed probes count as [our own failures](decisions/0013-limit-rates-and-exclude-own-failures.md), not as downtime',
  }),
  NAME_SERVERS: nameServers
    .optional()
    .meta({ defaultText: "the system's", description: 'name servers for the host names of endpoints' }),
  RPC_URLS: rpcSettingsSchema.prefault('').meta({
    defaultText: 'none',
    description:
      'RPC URLs by network, from which payments are read: `base=https://…,https://… polygon=https://…` ([how](decisions/0018-read-settlements-from-untrusted-providers.md)). Without the payment network, no reports are sold',
  }),
  DELIVERY_KEY: deliveryKeySchema.optional().meta({
    description:
      'private key of the wallet that pays [test purchases](#test-purchases), on the networks of `RPC_URLS`. Needs `DELIVERY_BUDGET`',
  }),
  DELIVERY_BUDGET: deliveryBudgetSchema.optional().meta({
    description:
      'maximum of test purchases in US dollars: for one purchase, for an endpoint in 7 days, for a UTC day, and in total: `purchase=0.05 endpoint=0.10 day=1 total=25`. Needs `DELIVERY_KEY`',
  }),
  DELIVERY_SKIP: deliverySkipSchema.optional().meta({
    description: 'hosts and URL prefixes from which nothing is bought, separated by spaces',
  }),
  ALLOW_PRIVATE: z
    .enum(['for-tests'], {
      error: 'must be unset or for-tests, because it lets listed URLs point probes into the private network',
    })
    .optional()
    .meta({ description: '`for-tests` allows listings with private addresses; for tests only' }),
};

type LiveSettings = z.output<z.ZodObject<typeof liveEnvironment>>;

/**
 * Creates the User-Agent of probes. It contains the URL of the service's public page, or the statement that the service
 * has no public page.
 */
function createUserAgent(page: string | null): string {
  return `Touchstone/0.1 (${page === null ? 'x402 probes; a private instance without a page' : `+${page}`})`;
}

export function toLiveConfig(settings: LiveSettings, baseUrl: string | null) {
  return {
    directories: settings.DIRECTORIES ?? PUBLIC_DIRECTORIES,
    userAgent: createUserAgent(settings.SITE_URL ?? baseUrl),
    probesPerSecond: settings.PROBES_PER_SECOND,
    probesPerHostPerSecond: settings.PROBES_PER_HOST_PER_SECOND,
    canaries: settings.CANARY_URLS,
    /** DNS servers for probes; null for the DNS servers of the system. */
    nameServers: settings.NAME_SERVERS ?? null,
    /** RPC URLs by network (CAIP-2), from which settlements are read. */
    rpcUrls: settings.RPC_URLS,
    allowPrivate: settings.ALLOW_PRIVATE !== undefined,
    /** Wallet and budget of test purchases; undefined without them. */
    purchases: toPurchaseSettings({
      account: settings.DELIVERY_KEY,
      budget: settings.DELIVERY_BUDGET,
      skip: settings.DELIVERY_SKIP,
    }),
  };
}

/** Settings of `npm run live`: contacted servers, User-Agent and request rates. */
export type LiveConfig = Readonly<ReturnType<typeof toLiveConfig>>;
