import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainDeliveryUrl, normalizeDeliveryUrl, numberLabels } from './delivery-url.ts';

const LENGTH = 'must be at most 2048 characters long, including percent-encoding';

describe('explainDeliveryUrl', () => {
  it.each([
    'https://example.com/alerts?token=a%20b#part',
    'HTTPS://EXAMPLE.COM:8443/alerts',
    'https://discord.sandbox.test/api/webhooks/1/abc',
    'https://93.184.216.34/alerts',
    'https://[2606:4700::1111]/alerts',
    'https://münchen.example/ä',
    'https://localhost.example.com/',
    'https://internal.example.com/',
  ])('accepts %s', (url) => {
    expect(explainDeliveryUrl(url)).toBeNull();
  });

  const CREDENTIALS = 'must be an https URL without user name and password';
  const EXPECTATION = 'must be an https URL on a public host, such as https://example.com/alerts';
  it.each([
    ['', EXPECTATION],
    ['example.com/alerts', EXPECTATION],
    ['http://example.com/alerts', EXPECTATION],
    ['javascript:alert(1)', EXPECTATION],
    ['https://', EXPECTATION],
    ['https://exa mple.com/', EXPECTATION],
    [' https://example.com/', EXPECTATION],
    ['https://example.com/\n', EXPECTATION],
    ['https://example.com:99999/', EXPECTATION],
    ['https://[::1/', EXPECTATION],
    ['https://user@example.com/', CREDENTIALS],
    ['https://user:password@example.com/', CREDENTIALS],
    ['https://:a@example.com/', CREDENTIALS],
  ])('refuses %j', (url, explanation) => {
    expect(explainDeliveryUrl(url)).toBe(explanation);
  });

  it.each([
    ['https://127.0.0.1/', '127.0.0.1 (loopback)'],
    ['https://127.1/', '127.0.0.1 (loopback)'],
    ['https://0x7f000001/', '127.0.0.1 (loopback)'],
    ['https://2130706433/', '127.0.0.1 (loopback)'],
    ['https://0177.0.0.1/', '127.0.0.1 (loopback)'],
    ['https://10.0.0.1./', '10.0.0.1 (private network)'],
    ['https://169.254.169.254/latest/meta-data', '169.254.169.254 (link-local)'],
    ['https://[::1]/', '[::1] (loopback)'],
    ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1] (IPv4-mapped)'],
    ['https://[fd00::1]/', '[fd00::1] (unique local network)'],
    ['https://localhost/', 'localhost (a name without a dot)'],
    ['https://LOCALHOST:3000/', 'localhost (a name without a dot)'],
    ['https://localhost./', 'localhost. (a name without a dot)'],
    ['https://localhost../', 'localhost.. (two dots at its end)'],
    ['https://0x7f.1../', '0x7f.1.. (two dots at its end)'],
    ['https://intranet/', 'intranet (a name without a dot)'],
    ['https://api.localhost/', 'api.localhost (a private name)'],
    ['https://printer.local/', 'printer.local (a private name)'],
    ['https://printer.local./', 'printer.local. (a private name)'],
    ['https://metadata.google.internal/', 'metadata.google.internal (a private name)'],
  ])('refuses the host of %s', (url, host) => {
    expect(explainDeliveryUrl(url)).toBe(`must be an https URL on a public host, not ${host}`);
  });

  it('refuses a URL of more than 2,048 characters with a short message, before and after percent-encoding', () => {
    const start = 'https://example.com/';
    expect(explainDeliveryUrl(start + 'a'.repeat(2_048 - start.length))).toBeNull();
    expect(explainDeliveryUrl(start + 'a'.repeat(2_049 - start.length))).toBe(LENGTH);
    expect(explainDeliveryUrl(`https://example.com:443/${'a'.repeat(2_025)}`)).toBe(LENGTH);
    expect(explainDeliveryUrl(start + 'ä'.repeat(400))).toBe(LENGTH);
    expect(explainDeliveryUrl(`https://${'a'.repeat(1_900)}/`)?.length).toBeLessThan(150);
  });

  it('accepts any text without throwing, and only URLs with https and a dot or colon in the host', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('.', '@', ':', '[', ']', '/', '\\', '127.1', 'local'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = `https://${parts.join('')}`;
        if (explainDeliveryUrl(text) !== null) return;
        const { protocol, hostname, username, password } = new URL(normalizeDeliveryUrl(text));
        expect([protocol, username, password]).toEqual(['https:', '', '']);
        expect(hostname).toMatch(/[.:]/);
      }),
    );
  });
});

describe('normalizeDeliveryUrl', () => {
  it('removes differences that do not change the request', () => {
    expect(normalizeDeliveryUrl('HTTPS://Example.com:443/a/../b?c#d')).toBe('https://example.com/b?c');
    expect(normalizeDeliveryUrl('https://example.com')).toBe('https://example.com/');
    expect(normalizeDeliveryUrl('https://example.com.:8443/a.')).toBe('https://example.com:8443/a.');
  });

  it('is stable, and keeps text that is not a URL', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('/', '..', '?', '#', '%', ':443', 'é'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const normalized = normalizeDeliveryUrl(`https://example.com${parts.join('')}`);
        expect(normalizeDeliveryUrl(normalized)).toBe(normalized);
      }),
    );
    expect(normalizeDeliveryUrl('no URL')).toBe('no URL');
  });
});

it('numbers only labels that several URLs have', () => {
  const [a, b] = ['https://a.example/…', 'https://b.example/…hook'];
  expect(numberLabels([])).toEqual([]);
  expect(numberLabels([a, b])).toEqual([a, b]);
  expect(numberLabels([a, b, a, a])).toEqual([`${a} (1 of 3)`, b, `${a} (2 of 3)`, `${a} (3 of 3)`]);
});
