import { isIP } from 'node:net';
import {
  PUBLIC_DIRECTORIES,
  readDirectorySource,
  rpcSettingsSchema,
  type DirectorySource,
} from '@touchstone/pipeline';
import { z } from 'zod';

/** What is contacted by `npm run live`, as whom, and how fast. */
export interface LiveConfig {
  readonly directories: readonly DirectorySource[];
  readonly userAgent: string;
  /** Probes started a second, in all and at one host. */
  readonly probesPerSecond: number;
  readonly probesPerHostPerSecond: number;
  /** URLs that show whether this machine reaches anybody. */
  readonly canaries: readonly string[];
  /** Name servers to ask instead of the system's. */
  readonly nameServers: readonly string[] | null;
  /** RPC URLs by network; what was paid is read from these. */
  readonly rpcUrls: ReadonlyMap<string, readonly string[]>;
  /** For tests alone: endpoints may be on private addresses. */
  readonly allowPrivate: boolean;
}

/** Sites that are meant to be looked at, run by three different operators. */
const CANARIES = 'https://example.com/ https://one.one.one.one/ https://www.wikipedia.org/';

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
const rate = z.coerce
  .number({ error: 'it must be a number from 0.1 to 200' })
  .min(0.1, { error: 'it must be at least 0.1' })
  .max(200, { error: 'it must be at most 200' });

const directories = z.string().transform((text, context): DirectorySource[] => {
  const read = words(text).map((word) => ({ word, source: readDirectorySource(word) }));
  const wrong = read.find(({ source }) => source === null);
  const sources = read.flatMap(({ source }) => (source === null ? [] : [source]));
  const names = new Set(sources.map(({ name }) => name));
  if (wrong !== undefined) context.addIssue(`${wrong.word} is not a directory: name=https://…?limit=100`);
  else if (sources.length === 0) context.addIssue('it must name at least one directory');
  else if (names.size < sources.length) context.addIssue('two directories have the same name');
  return sources;
});

const canaries = z
  .string()
  .transform(words)
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'it must be http or https addresses' })));

/** `1.2.3.4`, `1.2.3.4:53`, `::1` or `[::1]:53`. */
const serverAddress = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))$/i;

function isNameServer(text: string): boolean {
  const [, ...addresses] = serverAddress.exec(text) ?? [];
  return isIP(addresses.find(Boolean) ?? '') !== 0;
}

const nameServers = z
  .string()
  .transform(words)
  .pipe(
    z.array(z.string().refine(isNameServer, { error: 'it must be IP addresses, with or without a port' })),
  );

/** The variables of the live service; an unset one takes its default. */
export const liveEnvironment = {
  DIRECTORIES: directories.optional(),
  SITE_URL: z.url({ protocol: /^https?$/, error: 'it must be an http or https address' }).optional(),
  PROBES_PER_SECOND: rate.default(10),
  PROBES_PER_HOST_PER_SECOND: rate.default(1),
  CANARY_URLS: canaries.prefault(CANARIES),
  NAME_SERVERS: nameServers.optional(),
  RPC_URLS: rpcSettingsSchema.prefault(''),
  ALLOW_PRIVATE: z
    .enum(['for-tests'], {
      error: 'it can only be for-tests: it lets strangers point probes into your network',
    })
    .optional(),
};

type LiveSettings = z.output<z.ZodObject<typeof liveEnvironment>>;

/**
 * Who asks, in the words of a header. Whoever is asked should find out why: without a public page we say plainly that
 * there is none.
 */
function userAgentOf(page: string | null): string {
  return `Touchstone/0.1 (${page === null ? 'unpaid x402 probes; a private instance without a page' : `+${page}`})`;
}

export function liveConfig(settings: LiveSettings, baseUrl: string | null): LiveConfig {
  return {
    directories: settings.DIRECTORIES ?? PUBLIC_DIRECTORIES,
    userAgent: userAgentOf(settings.SITE_URL ?? baseUrl),
    probesPerSecond: settings.PROBES_PER_SECOND,
    probesPerHostPerSecond: settings.PROBES_PER_HOST_PER_SECOND,
    canaries: settings.CANARY_URLS,
    nameServers: settings.NAME_SERVERS ?? null,
    rpcUrls: settings.RPC_URLS,
    allowPrivate: settings.ALLOW_PRIVATE !== undefined,
  };
}
