import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const of = (forwarded: string | null, trustedProxies = 1) =>
  clientAddress(new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }), {
    trustedProxies,
    onVercel: false,
  });

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', 1, '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7, 10.0.0.1', 2, '203.0.113.7'],
    ['203.0.113.7', 3, '203.0.113.7'],
    ['6.6.6.6,203.0.113.7', 0, 'unknown'],
    ['203.0.113.7', 0, 'unknown'],
    ['203.0.113.7:5678', 1, '203.0.113.7'],
    ['[2001:db8:1:2:3:4:5:6]:5678', 1, '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.7', 1, '203.0.113.7'],
    ['::FFFF:cb00:7107', 1, '203.0.113.7'],
    ['fe80::1%eth0', 1, 'fe80:0:0:0::/64'],
    ['::1', 1, '0:0:0:0::/64'],
    ['2001:0DB8::1', 1, '2001:db8:0:0::/64'],
  ])('takes %j behind %i for %s', (forwarded, proxies, client) => {
    expect(of(forwarded, proxies)).toBe(client);
  });

  it.each([null, '', ' , ,', 'nobody', '6.6.6.6, unknown', '1.2.3', '::1::'])(
    'knows nobody by %j',
    (forwarded) => {
      expect(of(forwarded)).toBe('unknown');
    },
  );

  it('counts the addresses of one /64 as one client, and those of two as two', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(of(canonical)).toBe(of(address));
        expect(of(`[${address}]:443`)).toBe(of(address));
      }),
    );
    expect(of('2001:db8:1:2::1')).toBe(of('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'));
  });

  it('is never chosen by the client, whatever it writes into its header', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('x'))), (written) => {
        expect(of([...written, '203.0.113.7'].join(', '))).toBe('203.0.113.7');
        expect(of([...written, '203.0.113.7', '10.0.0.1'].join(', '), 2)).toBe('203.0.113.7');
      }),
    );
  });

  it('is nobody in particular where no proxy is trusted, whatever the client writes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (written) => {
        const headers = new Headers();
        headers.set('x-forwarded-for', written.join(', ').replaceAll(/[^ -~]/g, ''));
        expect(clientAddress(headers, { trustedProxies: 0, onVercel: false })).toBe('unknown');
      }),
    );
  });

  it('is what Vercel says on Vercel', () => {
    const headers = new Headers({ 'x-forwarded-for': '6.6.6.6', 'x-vercel-forwarded-for': '203.0.113.7' });
    expect(clientAddress(headers, { trustedProxies: 0, onVercel: true })).toBe('203.0.113.7');
  });
});
