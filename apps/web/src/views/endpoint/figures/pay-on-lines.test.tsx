import type { PayOn } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PayOnLines } from './pay-on-lines.tsx';

const option: PayOn = {
  scheme: 'exact',
  network: 'eip155:137',
  asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  assetSymbol: 'USDC',
  decimals: 6,
  amount: '1234567',
  amountUsd: '1.234567',
  payTo: '0x1111111111111111111111111111111111112222',
};

const renderText = (...payOn: readonly PayOn[]) =>
  renderToStaticMarkup(<PayOnLines payOn={payOn} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('PayOnLines', () => {
  it('shows a known token in whole tokens with all digits', () => {
    expect(renderText(option)).toContain(
      'Polygon eip155:137 , scheme exact 1.234567 USDC ($1.234567) to 0x1111…2222',
    );
  });

  it('shows an unknown token in atomic units with its address', () => {
    const unknown = {
      ...option,
      network: 'eip155:31337',
      assetSymbol: null,
      decimals: null,
      amountUsd: null,
    };
    expect(renderText(unknown)).toContain('eip155:31337 , scheme exact 1234567 atomic units of 0x3c49…3359');
  });

  it('explains an amount that is not a whole number', () => {
    expect(renderText({ ...option, amount: null, amountUsd: null })).toContain(
      'amount is not a whole number',
    );
  });

  it('has one line per payment option', () => {
    const html = renderToStaticMarkup(<PayOnLines payOn={[option, option, option]} />);
    expect(html.match(/<li/g)).toHaveLength(3);
  });
});
