import {
  createProbers,
  createProbeSender,
  formatUserAgent,
  type PipelineContext,
} from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { createSandboxChains } from './sandbox-chains.ts';
import type { Sandbox } from './start-sandbox.ts';

export interface SandboxContextOptions extends Pick<PipelineContext, 'owner' | 'embedder' | 'onChanged'> {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly database: { readonly url: string; readonly secret: string };
  /** Cipher of the secrets of watches. */
  readonly cipher: Cipher;
}

/** Creates the pipeline context of sandbox mode. Only hosts of the sandbox are probed. */
export function createSandboxContext({
  sandbox,
  baseUrl,
  database,
  cipher,
  owner,
  embedder,
  onChanged,
}: SandboxContextOptions): PipelineContext {
  const network = { sandbox: sandbox.control, userAgent: formatUserAgent(baseUrl) };
  return {
    db: connect({ url: database.url, key: database.secret }),
    ...createProbers(network),
    watches: { cipher, send: createProbeSender(network), baseUrl },
    // The directory is identified by its name, because the port of its URL changes at every start.
    directories: [{ name: 'sandbox', url: sandbox.directoryUrl }],
    chains: createSandboxChains(sandbox),
    fetch: globalThis.fetch,
    now: Date.now,
    owner,
    embedder: embedder ?? null,
    onChanged,
  };
}
