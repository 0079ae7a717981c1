import { PAYMENT_META, type Tool } from '@touchstone/contract';

/** Returns the text that follows the quote of a paid tool, and says how the agent can pay it. */
export function formatPayHint({ name }: Tool): string {
  return [
    `This call needs a payment with x402. Sign one of \`accepts\` and call ${name} again with the same arguments and the payment in \`_meta["${PAYMENT_META}"]\`. MCP clients with x402 support do this by themselves.`,
    'Without a wallet in this client: ask the user to add the local server `npx @touchstone/cli mcp`, which pays within limits that the user sets. x402_summary, x402_preview, x402_leaderboard and x402_stats are free.',
  ].join('\n');
}
