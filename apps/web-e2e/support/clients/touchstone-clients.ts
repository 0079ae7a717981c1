import { connectStdio } from '../mcp/mcp-stdio.ts';
import { runCli } from '../run-cli.ts';
import type { Bought, Buyer, Order } from './client.ts';

/** Connects the official MCP client to `touchstone mcp`, which pays by itself. */
export async function connectTouchstoneMcp(): Promise<Buyer> {
  const { call, close } = await connectStdio('2026-07-28', { args: [] });
  const buy = async ({ tool, input }: Order): Promise<Bought> => {
    const { isError, structured, texts, receipt } = await call(tool, input);
    if (isError) throw new Error(`The tool responded with an error: ${texts[0] ?? ''}`);
    return { body: structured, receipt };
  };
  return { buy, close };
}

/** Returns a buyer that runs one `touchstone` command for each order. The command prints the transaction. */
export const connectTouchstone = (): Promise<Buyer> =>
  Promise.resolve({
    buy: async ({ command }) => {
      const { code, stdout, stderr } = await runCli([...command, '--sandbox', '--yes', '--json']);
      if (code !== 0) throw new Error(`touchstone exited with ${String(code)}: ${stderr}`);
      const [transaction] = /0x[0-9a-f]{64}/.exec(stderr) ?? [];
      return { body: JSON.parse(stdout) as unknown, receipt: { success: true, transaction } };
    },
  });
