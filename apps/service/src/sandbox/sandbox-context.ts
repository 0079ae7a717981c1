import { createProbers, formatUserAgent, type PipelineContext } from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import { createSandboxChains } from './sandbox-chains.ts';
import type { Sandbox } from './start-sandbox.ts';

export interface SandboxContextOptions extends Pick<PipelineContext, 'owner' | 'embedder' | 'onChanged'> {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly database: { readonly url: string; readonly secret: string };
}

/** Creates the pipeline context of sandbox mode. Only hosts of the sandbox are probed. */
export function createSandboxContext({
  sandbox,
  baseUrl,
  database,
  owner,
  embedder,
  onChanged,
}: SandboxContextOptions): PipelineContext {
  return {
    db: connect({ url: database.url, key: database.secret }),
    ...createProbers({ sandbox: sandbox.control, userAgent: formatUserAgent(baseUrl) }),
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
