import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServerFactory } from '../server.ts';
import { parseJson } from '@touchstone/common';
import type { McpServerOptions, ToolCall } from '../options.ts';

/** Revisions of MCP: the first begins with a handshake, and the second has no sessions. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

type Revision = (typeof REVISIONS)[number];

const BASE_URL = 'https://touchstone.example';

/** Content of a tool result, as far as tests read it. */
interface TestResult {
  readonly isError: boolean;
  /** Structured content of an error, or the value of the first text. */
  readonly structured: unknown;
  readonly texts: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Connects the official MCP client to the server over HTTP messages within this process, and records the tool calls. */
export async function connectClient(revision: Revision, options: Partial<McpServerOptions> = {}) {
  const calls: ToolCall[] = [];
  const send = options.send ?? (() => Promise.reject(new Error('The test expects no request.')));
  const handler = createMcpHandler(
    createMcpServerFactory({
      baseUrl: BASE_URL,
      version: '2.0.0',
      payHint: null,
      ...options,
      send: (call) => {
        calls.push(call);
        return send(call);
      },
    }),
  );
  let response: Response | undefined;
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', BASE_URL), {
    fetch: async (url, init) => {
      response = await handler.fetch(new Request(url, init));
      return response.clone();
    },
  });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );
  await client.connect(transport);
  return {
    client,
    calls,
    /** Returns the size of the last HTTP response, in bytes. */
    readSize: async (): Promise<number> => (await response?.clone().bytes())?.byteLength ?? 0,
    callTool: async (
      name: string,
      members: Readonly<Record<string, unknown>>,
      extra: {
        readonly meta?: Record<string, unknown>;
        readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
      } = {},
    ): Promise<TestResult> => {
      const { meta, onprogress } = extra;
      const result = await client.callTool(
        { name, arguments: { ...members }, ...(meta === undefined ? {} : { _meta: meta }) },
        onprogress === undefined ? {} : { onprogress },
      );
      const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
      return {
        isError: result.isError === true,
        structured: result.structuredContent ?? parseJson(texts[0] ?? ''),
        texts,
        meta: result._meta ?? {},
      };
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await handler.close();
    },
  };
}

/** Encodes a value as a header of x402: JSON in Base64. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
