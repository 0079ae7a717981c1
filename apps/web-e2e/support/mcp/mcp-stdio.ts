import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { connectMcp, type REVISIONS } from './mcp-client.ts';

const CLI = fileURLToPath(new URL('../../../cli/bin/touchstone.mjs', import.meta.url));

const messageSchema = z.looseObject({ id: z.union([z.string(), z.number()]).optional() });

/** Start of `touchstone mcp`. */
export interface StdioServer {
  /** Options of the command. The default selects the sandbox of the shared service. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the command that starts `touchstone mcp`, with a new folder for its state, and a function that deletes it. */
function prepareServer({ args = [], env = {} }: StdioServer) {
  const state = mkdtempSync(join(tmpdir(), 'touchstone-mcp-'));
  const source = args.includes('--service')
    ? ['--data-dir', state]
    : ['--sandbox', '--data-dir', process.env['TOUCHSTONE_DATA_DIR'] ?? ''];
  return {
    command: process.execPath,
    args: [CLI, 'mcp', ...source, ...args],
    env: { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: state, ...env },
    remove: () => {
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Starts `touchstone mcp` and connects the official MCP client to it. */
export async function connectStdio(revision: (typeof REVISIONS)[number], server: StdioServer = {}) {
  const { command, args, env, remove } = prepareServer(server);
  const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' });
  const errors = new PassThrough();
  transport.stderr?.pipe(errors);
  const messages = text(errors);
  const connection = await connectMcp(transport, revision);
  const close = async (): Promise<string> => {
    await connection.client.close();
    remove();
    return messages;
  };
  return {
    ...connection,
    /** Ends the server, and returns its messages on standard error. */
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
    },
  };
}

/**
 * Starts `touchstone mcp` and relays JSON-RPC messages between HTTP and it, because the conformance suite tests only
 * servers with HTTP. All connections share the process. Notifications of the server are left out.
 */
export async function bridgeToStdio() {
  const { command, args, env, remove } = prepareServer({});
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<unknown, { readonly id: unknown; readonly response: ServerResponse }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = messageSchema.parse(JSON.parse(line));
    const request = waiting.get(message.id);
    if (request === undefined) return;
    waiting.delete(message.id);
    request.response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...message, id: request.id }));
  });
  let count = 0;
  const relay = (received: string, response: ServerResponse): void => {
    const message = messageSchema.parse(JSON.parse(received));
    if (message.id === undefined) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      response.writeHead(202).end();
      return;
    }
    // Several connections can use the same ids, so the bridge sends its own ids.
    count += 1;
    waiting.set(count, { id: message.id, response });
    child.stdin.write(`${JSON.stringify({ ...message, id: count })}\n`);
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST')
      void text(request).then((received) => {
        relay(received, response);
      });
    else response.writeHead(405).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      child.stdin.end();
      await once(child, 'exit');
      remove();
    },
  };
}
