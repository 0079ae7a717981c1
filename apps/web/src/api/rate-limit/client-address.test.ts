import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getClientAddress, listNetworks, toQueueClient } from './client-address.ts';

const getAddress = (forwarded: string | null, trustedProxies = 1) =>
  getClientAddress(new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }), {
    trustedProxies,
    onVercel: false,
  });

describe('getClientAddress', () => {
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
  ])('for X-Forwarded-For %j behind %i proxies returns %s', (forwarded, proxies, client) => {
    expect(getAddress(forwarded, proxies)).toBe(client);
  });

  it.each([null, '', ' , ,', 'host', '6.6.6.6, unknown', '1.2.3', '::1::'])(
    'returns unknown for X-Forwarded-For %j',
    (forwarded) => {
      expect(getAddress(forwarded)).toBe('unknown');
    },
  );

  it('returns one client per IPv6 /64 network', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(getAddress(canonical)).toBe(getAddress(address));
        expect(getAddress(`[${address}]:443`)).toBe(getAddress(address));
      }),
    );
    expect(getAddress('2001:db8:1:2::1')).toBe(getAddress('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(getAddress('2001:db8:1:2::1')).not.toBe(getAddress('2001:db8:1:3::1'));
  });

  it('ignores entries that the client wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('x'))), (written) => {
        expect(getAddress([...written, '203.0.113.7'].join(', '))).toBe('203.0.113.7');
        expect(getAddress([...written, '203.0.113.7', '10.0.0.1'].join(', '), 2)).toBe('203.0.113.7');
      }),
    );
  });

  it('reads the header of Vercel on Vercel', () => {
    const headers = new Headers({ 'x-forwarded-for': '6.6.6.6', 'x-vercel-forwarded-for': '203.0.113.7' });
    expect(getClientAddress(headers, { trustedProxies: 0, onVercel: true })).toBe('203.0.113.7');
  });
});

describe('listNetworks', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['unknown', ['unknown']],
    ['2001:db8:1:23ff::/64', ['2001:db8:1:23ff::/64', '2001:db8:1:2300::/56', '2001:db8:1:0::/48']],
    ['2001:db8:1:ff::/64', ['2001:db8:1:ff::/64', '2001:db8:1:0::/56', '2001:db8:1:0::/48']],
  ])('returns the networks of %s', (client, networks) => {
    expect(listNetworks(client).map(({ network }) => network)).toEqual(networks);
    expect(toQueueClient(client)).toBe(networks.at(-1));
  });
});
