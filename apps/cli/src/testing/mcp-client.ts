import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { parseJson } from '@touchstone/common';
import { run } from '../run.ts';
import type { TestBuyer } from './buyer.ts';
import { skipTime } from './run-in-process.ts';

/** Revision of MCP without sessions. */
export const MODERN_REVISION = '2026-07-28';

export interface McpRunOptions {
  /** Options of `touchstone mcp`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Protocol generation: `legacy` (the default) uses the handshake of 2025, `modern` uses `MODERN_REVISION`. */
  readonly era?: 'legacy' | 'modern';
}

/** Result of a tool call, as far as tests read it. */
interface ToolResult {
  readonly isError: boolean;
  /** Structured content of an error, or the value of the first text. */
  readonly structured: unknown;
  readonly texts: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Returns the arguments and the variables that start the server as a buyer. @param key key of the wallet, or '' */
export function asBuyer({ home, key: own }: TestBuyer, service: string, key = own) {
  return {
    args: ['--service', service, '--data-dir', home],
    env: { XDG_STATE_HOME: home, TOUCHSTONE_KEY: key },
  };
}

/** A running server: the transport of its client, and its standard error. */
interface StartedServer {
  readonly transport: Transport;
  readonly errors: PassThrough;
  /** Resolves when the server has ended. */
  readonly ended: Promise<unknown>;
}

/** Starts `touchstone mcp` in this process, and connects the official MCP client to it. */
export async function openMcpClient(options: McpRunOptions) {
  return connectClient(startInProcess(options), options);
}

function startInProcess({ args, env = {} }: McpRunOptions): StartedServer {
  const [stdin, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const ended = run(['mcp', ...args], { stdin, stdout, stderr: errors, env, sleep: skipTime }).then(() => {
    stdout.end();
    errors.end();
  });
  // The transport of a server also works for a client: both read lines from one stream and write lines to another
  // stream.
  const transport = new StdioServerTransport(stdout, stdin);
  const stop = transport.close.bind(transport);
  const close = async (): Promise<void> => {
    stdin.end();
    await stop();
  };
  return { transport: Object.assign(transport, { close }), errors, ended };
}

async function connectClient({ transport, errors, ended }: StartedServer, { era = 'legacy' }: McpRunOptions) {
  const client = new Client(
    { name: 'touchstone-test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: MODERN_REVISION } } },
  );
  await client.connect(transport);
  const call = async (
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    { meta, signal }: { readonly meta?: Record<string, unknown>; readonly signal?: AbortSignal } = {},
  ): Promise<ToolResult> => {
    const result = await client.callTool(
      { name, arguments: { ...input }, ...(meta === undefined ? {} : { _meta: meta }) },
      signal === undefined ? {} : { signal },
    );
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
    return {
      isError: result.isError === true,
      structured: result.structuredContent ?? parseJson(texts[0] ?? ''),
      texts,
      meta: result._meta ?? {},
    };
  };
  return {
    client,
    call,
    /** Disconnects, waits for the end of the server, and returns its standard error. */
    close: async (): Promise<string> => {
      const printed = text(errors);
      await client.close();
      return printed;
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await ended;
    },
  };
}
