import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { McpPage } from '../../../../views/mcp/mcp-page.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only at a restart. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'MCP server for agents',
  description:
    'MCP server of Touchstone: check an x402 endpoint before you pay, from Claude Code, Claude Desktop, Cursor, VS Code, Codex or Gemini CLI.',
  path: '/mcp',
  indexed: true,
});

export default function Page() {
  return <McpPage baseUrl={getSiteOrigin(process.env)} />;
}
