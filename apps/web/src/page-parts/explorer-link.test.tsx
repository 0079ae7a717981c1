import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ExplorerLink } from './explorer-link.tsx';

const ADDRESS = `0x${'ab'.repeat(20)}`;

const render = (network: string) =>
  renderToStaticMarkup(
    <ExplorerLink network={network} address={ADDRESS}>
      0xabab…abab
    </ExplorerLink>,
  );

it('links the address to the block explorer of its network, which it names', () => {
  expect(render('eip155:8453')).toContain(
    `<a href="https://basescan.org/address/${ADDRESS}" rel="nofollow noopener" title="Block explorer of Base"`,
  );
});

it('shows only the text on a network without a known explorer', () => {
  expect(render('eip155:999999')).toBe('0xabab…abab');
});
