import { describe, expect, it } from 'vitest';
import { createAddressLimit, MAX_CONNECTIONS_PER_ADDRESS } from './address-limit.ts';

/** Returns how many of 1,000 connections within a minute the limit allows. */
function countAllowed(toConnection: (index: number) => readonly [address: string, url: string]): number {
  const mayConnect = createAddressLimit(() => 1_000_000_000);
  const connections = Array.from({ length: 1_000 }, (_, index) => toConnection(index));
  return connections.filter(([address, url]) => mayConnect(address, new URL(url))).length;
}

describe('the limit of connections to one address', () => {
  it.each<readonly [string, number, Parameters<typeof countAllowed>[0]]>([
    ['names of one IPv4 address', 60, (at) => ['9.9.9.9', `https://h${at}.evil.test/`]],
    ['ports of one IPv4 address', 60, (at) => ['9.9.9.9', `https://evil.test:${2_000 + at}/`]],
    ['addresses of an IPv6 /64', 60, (at) => [`2001:4860:0:1:${at.toString(16)}::1`, 'https://evil.test/']],
    ['networks of IPv6', 1_000, (at) => [`2001:4860:0:${at.toString(16)}::1`, 'https://a.example/']],
    ['messages to Slack', 1_000, () => ['9.9.9.9', 'https://hooks.slack.com/services/T/B/x']],
    ['messages to Discord', 1_000, () => ['9.9.9.9', 'https://discord.com/api/webhooks/1/x']],
  ])('for 1,000 %s allows %i connections', (_, allowed, toConnection) => {
    expect(countAllowed(toConnection)).toBe(allowed);
  });

  it('ends after a minute without a connection', () => {
    const clock = { now: 1_000_000_000 };
    const mayConnect = createAddressLimit(() => clock.now);
    const connect = () => mayConnect('9.9.9.9', new URL('https://a.example/'));
    while (connect());
    clock.now += 59_999;
    expect(connect()).toBe(false);
    clock.now += 1;
    expect(connect()).toBe(true);
    expect(MAX_CONNECTIONS_PER_ADDRESS).toBe(60);
  });
});
