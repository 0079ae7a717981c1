import { readFileSync } from 'node:fs';
import { OPERATIONS, TOOLS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createClientSetups } from './client-setups.ts';
import { createGuardExample, createGuardSetup } from './guard-example.ts';
import { McpPage, formatToolPrice } from './mcp-page.tsx';

const BASE = 'https://touchstone.example';
const html = renderToStaticMarkup(<McpPage baseUrl={BASE} />);
const text = extractText(html);
const docs = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');

const findTool = (name: string) => {
  const tool = TOOLS.find((other) => other.name === name);
  if (tool === undefined) throw new Error(`No tool has the name ${name}`);
  return tool;
};

describe('McpPage', () => {
  it('has every tool with its price, and links to its operation', () => {
    for (const tool of TOOLS) {
      expect(text).toContain(`${tool.title} ${tool.name} ${formatToolPrice(tool)}`);
      const id = tool.operations[0]?.id ?? '';
      expect(OPERATIONS.map((operation) => operation.id)).toContain(id);
      expect(html).toContain(`href="/docs#${id}"`);
    }
  });

  it('has every sample of every client in a scroll box, and opens the first client', () => {
    for (const { name, remote, local } of createClientSetups(BASE)) {
      for (const { code } of [remote, local]) expect(text).toContain(code.replace(/\s+/g, ' '));
      expect(html).toContain(`aria-label="${name}, remote"`);
      expect(html).toContain(`aria-label="${name}, local"`);
    }
    expect(html.match(/<details[^>]* open/g)).toHaveLength(1);
  });

  it('has no wallet key and no npm package in its commands on a service of this machine', () => {
    const local = extractText(renderToStaticMarkup(<McpPage baseUrl="http://localhost:3000" />));
    expect(local).toContain('npx --no-install touchstone mcp --sandbox');
    expect(local).toContain('npx --no-install touchstone guard URL --sandbox');
    expect(local).not.toContain('npx @touchstone/cli');
    expect(local).not.toContain('npm install @touchstone');
    expect(local).toContain('npm install /path/to/touchstone/dist/packages/guard');
    expect(local).not.toContain('"TOUCHSTONE_KEY"');
  });
});

describe('formatToolPrice', () => {
  it('formats one price, a range of prices, and the free tools', () => {
    expect(formatToolPrice(findTool('x402_trust_score'))).toBe('$0.005');
    expect(formatToolPrice(findTool('x402_trust_bulk'))).toBe('$0.045 to $0.50');
    expect(formatToolPrice(findTool('x402_trust_leaderboard'))).toBe('free');
    expect(formatToolPrice(findTool('x402_watch_events'))).toBe('free with secret');
  });
});

describe('documentation', () => {
  it('has the guard example of the page in docs/guard.md', () => {
    expect(docs('guard.md')).toContain(createGuardExample(BASE));
    expect(docs('guard.md')).toContain(createGuardSetup(BASE));
  });

  it('has the JSON samples of the page in docs/mcp.md', () => {
    const blocks = [...docs('mcp.md').matchAll(/^```json\n(.*?)^```$/gms)].map(
      ([, code = '']) => JSON.parse(code) as unknown,
    );
    const setups = createClientSetups(BASE);
    const remote = setups.find(({ id }) => id === 'other-clients')?.remote.code ?? '';
    const local = setups.find(({ id }) => id === 'other-clients')?.local.code ?? '';
    expect(blocks).toEqual([JSON.parse(remote), JSON.parse(local)]);
    expect(docs('mcp.md')).toContain(
      setups.find(({ id }) => id === 'claude-code')?.local.code ?? expect.fail(),
    );
  });

  it('has the present prices of the tools in docs/mcp.md', () => {
    const [, table = ''] = /^\| tool +\| price .*\n((?:\|.*\n)+)/m.exec(docs('mcp.md')) ?? [];
    const rows = table
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, name = '']) => name.startsWith('`x402_'))
      .map(([, name, price]) => [name, price]);
    expect(rows).not.toEqual([]);
    expect(TOOLS.map((tool) => [`\`${tool.name}\``, formatToolPrice(tool)])).toEqual(
      expect.arrayContaining(rows),
    );
  });
});
