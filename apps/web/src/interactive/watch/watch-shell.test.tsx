import { OPERATIONS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { WatchShell } from './watch-shell.tsx';

const html = renderToStaticMarkup(<WatchShell />);

describe('WatchShell', () => {
  it('has the container of the script with the price of a renewal', () => {
    const price = OPERATIONS.find(({ id }) => id === 'renewWatch')?.priceUsd;
    expect(html).toContain(`id="watch-root" data-renewal-price-usd="${price ?? ''}"`);
    expect(html).toContain('href="/watch" aria-current="page"');
  });

  it('explains how to buy a watch, and has no form: only the script asks for a secret', () => {
    expect(html).toContain('href="/docs#createWatch"');
    expect(extractText(html)).toContain('buy a watch with POST /v1/watch-endpoint-30d for $0.20.');
    expect(extractText(html)).toContain('This page needs JavaScript');
    expect(html).not.toMatch(/<form|<input/);
  });
});
