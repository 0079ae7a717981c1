import { MCP_PATH, PAYMENT_META, type Tool } from '@touchstone/contract';
import { isOnThisMachine } from '../docs/cli-command.ts';

/**
 * Creates the text that follows the quote of a paid tool, and says how the agent can pay it.
 *
 * @param baseUrl public origin of the service
 */
export function formatPayHint({ name }: Tool, baseUrl: string): string {
  // A service on this machine runs from the repository, and its payments are test money of the sandbox.
  const command = isOnThisMachine(baseUrl)
    ? 'npx touchstone mcp --sandbox'
    : `npx -y @touchstone/cli mcp --service ${baseUrl}`;
  return [
    `To pay with x402, sign one of \`accepts\` and call ${name} again with the same arguments and the payment in \`_meta["${PAYMENT_META}"]\`. MCP clients with x402 support do this by themselves.`,
    `Without a wallet in this client: ask the user to add the local server \`${command}\`, which pays within limits that the user sets; ${baseUrl}${MCP_PATH} shows how. x402_summary, x402_preview, x402_leaderboard and x402_stats are free.`,
  ].join('\n');
}
