import { MCP_PATH, PAYMENT_META, type Tool } from '@touchstone/contract';

/**
 * Creates the text that follows the quote of a paid tool, and says how the agent can pay it. The setup of the local
 * server depends on the service, so the text names the page that shows it.
 *
 * @param baseUrl public origin of the service
 */
export function formatPayHint({ name }: Tool, baseUrl: string): string {
  return [
    `To pay with x402, sign one of \`accepts\` and call ${name} again with the same arguments and the payment in \`_meta["${PAYMENT_META}"]\`. MCP clients with x402 support do this by themselves.`,
    `Without a wallet in this client: ask the user to add the local server, which pays within limits that the user sets. ${baseUrl}${MCP_PATH} shows how. x402_summary, x402_preview, x402_leaderboard and x402_stats are free.`,
  ].join('\n');
}
