import { TOOLS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { formatPayHint } from './handle-mcp.ts';

const tool = TOOLS.find(({ name }) => name === 'x402_endpoint_history') ?? expect.fail();

describe('formatPayHint', () => {
  it('names the tool, the place of the payment, and the command of the service', () => {
    const text = formatPayHint(tool, 'https://touchstone.example');
    expect(text).toContain('call x402_endpoint_history again with the same arguments');
    expect(text).toContain('`_meta["x402/payment"]`');
    expect(text).toContain('`npx -y @touchstone/cli mcp --service https://touchstone.example --max-usd');
    expect(formatPayHint(tool, 'http://localhost:3000')).toContain(
      '`npx --no-install touchstone mcp --sandbox`',
    );
  });

  it('names free tools only as free', () => {
    const [, free = ''] = /([^.]*) are free\.$/.exec(formatPayHint(tool, 'https://a.example')) ?? [];
    const names = free.match(/x402_\w+/g) ?? [];
    expect(names).toHaveLength(4);
    const prices = names.map((name) => TOOLS.find((each) => each.name === name)?.operations[0]?.priceUsd);
    expect(prices).toEqual([null, null, null, null]);
  });
});
