import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createOfflineCheck, type CheckNetwork } from '@touchstone/check';
import {
  createProber,
  createSystemResolver,
  type Prober,
  type ProberOptions,
  type Resolver,
} from '@touchstone/probe';
import { CliError, toMessage, VERSION } from '../command-tools.ts';
import { openSandbox } from './sandbox-file.ts';

/**
 * Maximum length of a response body, in bytes (1 MiB). The compliance rules read at most 262,144 characters of a body,
 * which always fit into this length.
 */
const MAX_BODY_BYTES = 1024 * 1024;

export interface NetworkOptions {
  /** Allows connections to private addresses. */
  readonly allowPrivate: boolean;
  /** PEM file of additional trusted certificates. */
  readonly caFile: string | undefined;
  /** Data folder of a service whose sandbox is used instead of the internet. */
  readonly sandboxDir: string | undefined;
  /** Name of the command in the User-Agent header; lint by default. */
  readonly command?: string;
}

interface NetworkProberOptions extends Omit<ProberOptions, 'limits'> {
  readonly ca: readonly string[];
}

/**
 * Opens the network for requests to one URL.
 *
 * @throws CliError when the certificates cannot be read, the sandbox is not running, or the sandbox has no such host
 */
export async function openNetwork(
  url: URL,
  { allowPrivate, caFile, sandboxDir, command = 'lint' }: NetworkOptions,
): Promise<CheckNetwork> {
  const ca = caFile === undefined ? [] : [readCertificates(caFile)];
  const sandbox = sandboxDir === undefined ? null : await openSandbox(sandboxDir);
  if (sandbox !== null && !url.hostname.endsWith(sandbox.hostSuffix)) {
    throw new CliError(`${url.hostname} is not in the sandbox. Its host names end in ${sandbox.hostSuffix}.`);
  }
  const internetResolver = (): Resolver => (allowPrivate ? resolveLikeSystem : createSystemResolver());
  const resolver = sandbox?.resolver ?? internetResolver();
  const options = {
    resolver,
    guard: sandbox === null && allowPrivate ? () => null : undefined,
    ca: sandbox === null ? ca : [...ca, sandbox.ca],
    userAgent: `Touchstone/${VERSION} (touchstone ${command}; unpaid requests, sent by hand)`,
  };
  return {
    prober: createNetworkProber(options, caFile),
    isOffline: sandbox === null ? createOfflineCheck(resolver) : null,
  };
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError(`--ca ${file} cannot be read: ${toMessage(cause)}`, { cause });
  }
}

/**
 * Creates a prober that trusts additional certificate authorities. The authorities in NODE_EXTRA_CA_CERTS stay
 * trusted.
 */
function createNetworkProber(options: NetworkProberOptions, caFile: string | undefined): Prober {
  try {
    const ca = options.ca.length === 0 ? [] : [...readExtraAuthorities(), ...options.ca];
    return createProber({ ...options, ca, limits: { bodyBytes: MAX_BODY_BYTES } });
  } catch (cause) {
    throw new CliError(`--ca ${caFile ?? ''} contains no PEM certificate: ${toMessage(cause)}`, { cause });
  }
}

/** Reads the file in NODE_EXTRA_CA_CERTS. Returns an empty list for an unreadable file, which Node.js also ignores. */
function readExtraAuthorities(): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  try {
    return file === '' ? [] : [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}

/** Resolves host names with the operating system, because developers often add names to the hosts file. */
const resolveLikeSystem: Resolver = async (hostname) => {
  const addresses = await lookup(hostname, { all: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};
