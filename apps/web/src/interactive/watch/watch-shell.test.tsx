import { OPERATIONS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { UnlockForm } from './unlock-form.tsx';
import { WatchShell } from './watch-shell.tsx';

const render = (baseUrl: string): string =>
  renderToStaticMarkup(<WatchShell baseUrl={baseUrl} resource="https://api.example.com/it's" />);
const html = render('https://touchstone.example');

describe('WatchShell', () => {
  it('has the container of the script with the price of a renewal', () => {
    const price = OPERATIONS.find(({ id }) => id === 'renewWatch')?.priceUsd;
    expect(html).toContain(`id="watch-root" data-renewal-price-usd="${price ?? ''}"`);
    expect(html).toContain('href="/watch" aria-current="page"');
  });

  it('has the form of the script, which looks unusable until the script runs and is hidden without scripts', () => {
    const main = html.slice(html.indexOf('<main'));
    const [form = ''] = /<form[^>]*>/.exec(main) ?? [];
    expect(form).toContain('inert=""');
    expect(form).toContain('inert:opacity-50');
    expect(form).toContain('noscript:hidden');
    expect(main).not.toMatch(/<input[^>]*\sname=/);
    const withScript = renderToStaticMarkup(<UnlockForm isLocked={false} onOpen={() => undefined} />);
    const toComparable = (markup: string) => markup.replaceAll(/ (?:inert|value)=""| ?_R_\w*_|_r_\w*_/g, '');
    expect(toComparable(html)).toContain(toComparable(withScript));
  });

  it('has a command that runs unchanged with this service, and a sample alert', () => {
    const text = extractText(html);
    expect(text).toContain(
      "npx @touchstone/cli watch create 'https://api.example.com/it'\\''s' --service https://touchstone.example",
    );
    expect(extractText(render('http://localhost:3000'))).toContain('--sandbox');
    expect(text).toContain('critical : The payTo address changed');
    expect(text).toContain('before 0x209693Bc6afc0C5328bA36FaF03C514EF312287C');
  });

  it('explains how to buy a watch, and what to do if the script does not run', () => {
    expect(html).toContain('href="/docs#createWatch"');
    expect(extractText(html)).toContain('$0.20 for 30 days');
    expect(extractText(html.slice(html.indexOf('</form></div>')))).toContain(
      'Without this form (it needs JavaScript), read the alerts with GET /v1/watch/{id}/events',
    );
  });
});
