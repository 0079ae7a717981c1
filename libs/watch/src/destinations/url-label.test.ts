import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChatKind, toUrlLabel } from './url-label.ts';

describe('toUrlLabel', () => {
  it.each([
    ['https://hooks.slack.com/services/T0001/B0002/a1b2c3d4e5', 'https://hooks.slack.com/…d4e5'],
    ['https://receiver.example/?token=0123456789', 'https://receiver.example/…6789'],
    ['https://receiver.example:8443/hook', 'https://receiver.example:8443/…'],
    ['https://receiver.example/?key=12345', 'https://receiver.example/…'],
  ])('shortens %s', (url, label) => {
    expect(toUrlLabel(url)).toBe(label);
  });

  it('shows at most the last four characters of path and query, and none of a short one', () => {
    const url = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true });
    fc.assert(
      fc.property(url, (text) => {
        const { origin, pathname, search, hash } = new URL(text);
        const label = toUrlLabel(text);
        expect(label.startsWith(`${origin}/…`)).toBe(true);
        const shown = label.slice(`${origin}/…`.length);
        const hidden = pathname.slice(1) + search;
        expect(shown).toBe(hidden.length < 12 ? '' : hidden.slice(-4));
        if (hash.length > 4) expect(shown).not.toContain(hash);
      }),
    );
  });
});

describe('toChatKind', () => {
  it.each([
    'https://DISCORD.com./api/webhooks/1/a',
    'https://discordapp.com/api/webhooks/1/a',
    'https://ptb.discord.com/api/webhooks/1/a',
    'https://discord.sandbox.test/api/webhooks/1/a',
    'https://discord.com/api/webhooks/1/a?thread_id=2/slack',
  ])('is discord for %s', (url) => {
    expect(toChatKind(url)).toBe('discord');
  });

  it.each([
    'https://mattermost.example/hooks/a',
    'https://discord.com.evil.example/',
    'https://notdiscord.com/',
    'https://discord.com@evil.example/',
    'https://discord.com/api/webhooks/1/a/slack',
    'https://canary.discord.com/api/v10/webhooks/1/a/slack/?wait=true',
  ])('is slack for %s', (url) => {
    expect(toChatKind(url)).toBe('slack');
  });
});
