import { describe, expect, it } from 'vitest';
import { toReceiver } from './receiver.ts';

describe('toReceiver', () => {
  it.each([
    ['https://example.com/hook', 'example.com'],
    ['https://w1.evil.test/a', 'evil.test'],
    ['https://a.b.c.evil.test:8443/b?c=1', 'evil.test'],
    ['https://EVIL.test./', 'evil.test'],
    ['https://hooks.example.co.uk/', 'example.co.uk'],
    ['https://a.x1y.io/', 'x1y.io'],
    ['https://203.0.113.7/a', '203.0.113.7'],
    ['https://[2001:db8::1]/a', '[2001:db8::1]'],
    // Other hosts can accept the format of Slack. Their URLs are counted by domain.
    ['https://chat.example.com/hooks/abc', 'example.com'],
  ])('counts %s as %s', (url, receiver) => {
    expect(toReceiver(url)).toBe(receiver);
  });

  it('counts each URL of Slack and Discord, and does not contain the URL', () => {
    const urls = [
      'https://hooks.slack.com/services/T1/B2/s3cr3t',
      'https://discord.com/api/webhooks/1/s3cr3t',
    ];
    const receivers = [...urls, `${urls[0]}x`].map(toReceiver);
    expect(new Set(receivers).size).toBe(3);
    for (const receiver of receivers) expect(receiver).toMatch(/^chat [0-9a-f]{64}$/);
  });
});
