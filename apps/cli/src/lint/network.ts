import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { getCACertificates, rootCertificates } from 'node:tls';
import {
  createProber,
  systemResolver,
  type Prober,
  type ProberOptions,
  type Resolver,
} from '@touchstone/probe';
import { CliError } from '../cli-error.ts';
import { VERSION } from '../version.ts';
import { openSandbox } from './sandbox.ts';

const RESOLVE_MS = 4_000;
/** Enough for the longest challenge that is read; a probe of the service keeps a quarter of it. */
const BODY_BYTES = 1024 * 1024;

/** From where an endpoint is asked. */
export interface NetworkOptions {
  /** Dial private addresses too. */
  readonly allowPrivate: boolean;
  /** File of certificates to trust besides the usual ones. */
  readonly caFile: string | undefined;
  /** Data folder of a service whose sandbox is asked instead of the internet. */
  readonly sandboxDir: string | undefined;
  /** The command that asks, as servers are told; lint where none is named. */
  readonly command?: string;
}

interface NetworkProber extends Omit<ProberOptions, 'limits'> {
  readonly ca: readonly string[];
}

export interface Network {
  readonly prober: Prober;
  readonly resolver: Resolver;
  /** True where a name that cannot be looked up may be our own network's fault. */
  readonly isInternet: boolean;
}

/**
 * Prepares to ask one URL.
 *
 * @throws CliError when the certificates cannot be read, or when the sandbox does not run or has no such name
 */
export async function openNetwork(url: URL, options: NetworkOptions): Promise<Network> {
  const userAgent = `Touchstone/${VERSION} (touchstone ${options.command ?? 'lint'}; unpaid requests, sent by hand)`;
  const ca = options.caFile === undefined ? [] : [readCertificates(options.caFile)];
  if (options.sandboxDir === undefined) {
    const resolver = options.allowPrivate ? hostsResolver : systemResolver({ timeoutMs: RESOLVE_MS });
    const guard = options.allowPrivate ? () => null : undefined;
    return {
      resolver,
      isInternet: true,
      prober: proberOf({ resolver, guard, ca, userAgent }, options.caFile),
    };
  }
  const sandbox = await openSandbox(options.sandboxDir);
  if (!url.hostname.endsWith(sandbox.hostSuffix)) {
    throw new CliError(`${url.hostname} is not in the sandbox, whose names end in ${sandbox.hostSuffix}.`);
  }
  const { resolver } = sandbox;
  return {
    resolver,
    isInternet: false,
    prober: proberOf({ resolver, ca: [...ca, sandbox.ca], userAgent }, options.caFile),
  };
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError(`--ca ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Authorities to trust besides Node's own keep those that the environment names, such as NODE_EXTRA_CA_CERTS. */
function proberOf(options: NetworkProber, caFile: string | undefined): Prober {
  try {
    const ca = options.ca.length === 0 ? [] : [...authoritiesOfEnvironment(), ...options.ca];
    return createProber({ ...options, ca, limits: { bodyBytes: BODY_BYTES } });
  } catch (cause) {
    throw new CliError(`--ca ${caFile ?? ''} holds no PEM certificate: ${messageOf(cause)}`, { cause });
  }
}

function authoritiesOfEnvironment(): string[] {
  const bundled = new Set(rootCertificates);
  return getCACertificates('default').filter((certificate) => !bundled.has(certificate));
}

/** Names as this machine knows them, its hosts file included, which is where a developer's own names are. */
const hostsResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
