import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMcp, type REVISIONS } from './mcp-client.ts';

const CLI = fileURLToPath(new URL('../../../cli/bin/touchstone.mjs', import.meta.url));

/** Starts `touchstone mcp` for the sandbox of the shared service, and connects the official MCP client to it. */
export async function connectStdio(
  revision: (typeof REVISIONS)[number],
  { args }: { readonly args: readonly string[] },
) {
  const state = mkdtempSync(join(tmpdir(), 'touchstone-mcp-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--sandbox', '--data-dir', process.env['TOUCHSTONE_DATA_DIR'] ?? '', ...args],
    env: { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: state },
    stderr: 'pipe',
  });
  const errors = new PassThrough();
  transport.stderr?.pipe(errors);
  const messages = text(errors);
  const connection = await connectMcp(transport, revision);
  const close = async (): Promise<string> => {
    await connection.client.close();
    rmSync(state, { recursive: true, force: true });
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
