import { setTimeout as sleep } from 'node:timers/promises';
import {
  createChainSources,
  createHostRateLimiter,
  createProbers,
  createJobProofReader,
  createProbeSender,
  formatUserAgent,
  type ChainSource,
  type PipelineContext,
} from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { LiveConfig } from './config/live-config.ts';
import type { Sandbox } from './sandbox/start-sandbox.ts';

/** Parts of a pipeline context that do not depend on the mode. */
export interface ContextOptions extends Pick<
  PipelineContext,
  'owner' | 'embedder' | 'onChanged' | 'logError'
> {
  readonly baseUrl: string;
  readonly database: { readonly url: string; readonly secret: string };
  /** Cipher that encrypts the secrets of watches. */
  readonly cipher: Cipher;
}

type Network = Parameters<typeof createProbeSender>[0];

function createShared({ baseUrl, database, cipher, embedder, ...rest }: ContextOptions, network: Network) {
  return {
    ...rest,
    db: connect({ url: database.url, key: database.secret }),
    watches: { cipher, send: createProbeSender(network), baseUrl },
    readProof: createJobProofReader(network),
    fetch: globalThis.fetch,
    now: Date.now,
    embedder: embedder ?? null,
  };
}

/**
 * Creates the pipeline context of live mode. Probes go to the public internet with rate limits, and time is real time.
 */
export function createLiveContext(options: ContextOptions, live: LiveConfig): PipelineContext {
  const { userAgent, nameServers, allowPrivate } = live;
  const network = { userAgent, nameServers: nameServers ?? undefined, allowPrivate };
  const rateLimiter = createHostRateLimiter({
    perSecond: live.probesPerSecond,
    perHostPerSecond: live.probesPerHostPerSecond,
  });
  return {
    ...createShared(options, network),
    ...createProbers({ ...network, canaryUrls: live.canaries, rateLimiter }),
    rateLimiter,
    chains: createChainSources(live.rpcUrls),
    directories: live.directories,
    userAgent,
    ...toPurchases(live.purchases, network),
  };
}

/**
 * Creates the pipeline context of sandbox mode. Only hosts of the sandbox are probed.
 *
 * @param purchases wallet and budget of test purchases; undefined to buy nothing
 */
export function createSandboxContext(
  options: ContextOptions,
  sandbox: Pick<Sandbox, 'chains' | 'directoryUrl' | 'isRunning'> & {
    readonly control: Pick<Sandbox['control'], 'resolver' | 'ca' | 'hostSuffix'>;
  },
  purchases?: LiveConfig['purchases'],
): PipelineContext {
  const network = { sandbox: sandbox.control, userAgent: formatUserAgent(options.baseUrl) };
  const probers = createProbers(network);
  return {
    ...createShared(options, network),
    ...probers,
    prober: rejectWhenStopped(probers.prober, sandbox),
    // The directory is identified by its name, because the port of its URL changes at every start.
    directories: [{ name: 'sandbox', url: sandbox.directoryUrl }],
    chains: createSandboxChains(sandbox),
    ...toPurchases(purchases, network),
  };
}

/** Returns the member `purchases` of a context; nothing without a wallet. */
function toPurchases(
  settings: LiveConfig['purchases'],
  network: Network,
): Pick<PipelineContext, 'purchases'> {
  return settings === undefined ? {} : { purchases: { ...settings, send: createProbeSender(network) } };
}

/**
 * Creates the sources from which settlements on the sandbox chains are read. Returns an empty list when the sandbox has
 * no chains. Zero confirmations are enough, because each chain has a single node, and the node never replaces a block.
 */
export function createSandboxChains({ chains }: Pick<Sandbox, 'chains'>): readonly ChainSource[] {
  const rpcUrls = Object.entries(chains?.rpcUrls ?? {}).map(([network, url]) => [network, [url]] as const);
  return createChainSources(new Map(rpcUrls), { confirmations: 0 });
}

/** Maximum time from the close of the sandbox process's connections until its exit is noticed, in milliseconds. */
const EXIT_NOTICE_MS = 50;

/**
 * Returns a prober that throws if a probe gets no response because the sandbox process has ended. Without this error,
 * such probes would count as failures of the endpoints.
 */
function rejectWhenStopped(
  prober: PipelineContext['prober'],
  sandbox: Pick<Sandbox, 'isRunning'>,
): PipelineContext['prober'] {
  return async (request) => {
    const result = await prober(request);
    if (result.httpStatus !== null) return result;
    if (sandbox.isRunning()) await sleep(EXIT_NOTICE_MS);
    if (!sandbox.isRunning()) throw new Error('The sandbox process has ended; the probes are repeated.');
    return result;
  };
}
