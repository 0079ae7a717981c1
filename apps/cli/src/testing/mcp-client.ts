import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestBuyer } from './buyer.ts';

const BIN = fileURLToPath(new URL('../../bin/touchstone.mjs', import.meta.url));

/** Revision of MCP without sessions. */
export const MODERN_REVISION = '2026-07-28';

export interface McpRunOptions {
  /** Options of `touchstone mcp`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Era of the protocol: `legacy` is the 2025 handshake. By default it is `legacy`, because the client starts a second
   * process to detect the modern era.
   */
  readonly era?: 'legacy' | 'modern';
}

/** Result of a tool call, as far as tests read it. */
export interface ToolResult {
  readonly isError: boolean;
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

/** Starts `touchstone mcp` in a child process, and connects the official MCP client to it. */
export async function openMcpClient({ args, env = {}, era = 'legacy' }: McpRunOptions) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  const errors = new PassThrough();
  transport.stderr?.pipe(errors);
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
    return {
      isError: result.isError === true,
      structured: result.structuredContent,
      texts: result.content.map((part) => (part.type === 'text' ? part.text : '')),
      meta: result._meta ?? {},
    };
  };
  return {
    client,
    call,
    /** Disconnects, waits for the end of the process, and returns its standard error. */
    close: async (): Promise<string> => {
      const ended = errors.readableEnded ? Promise.resolve() : once(errors, 'end');
      const printed = text(errors);
      await client.close();
      await ended;
      return printed;
    },
    [Symbol.asyncDispose]: async () => client.close(),
  };
}
