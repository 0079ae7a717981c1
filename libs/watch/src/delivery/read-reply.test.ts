import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanReply } from './read-reply.ts';

const TOKEN = 'Zk3vQ81xLpW0aTgH';
const url = `https://hooks.slack.com/services/${TOKEN}?key=${TOKEN}2`;

describe('cleanReply', () => {
  it('is one line of text without control characters', () => {
    const reply = cleanReply({ body: ' <b>no\u0000\u001b[31m</b>\r\n\u202eend ', bodyEnd: 'complete' }, url);
    expect(reply).toBe('<b>no [31m</b> end');
    expect(cleanReply({ body: '', bodyEnd: 'complete' }, url)).toBeNull();
    expect(cleanReply({ body: null, bodyEnd: 'complete' }, url)).toBeNull();
  });

  it('has at most 1,000 bytes of whole characters', () => {
    const reply = cleanReply({ body: 'a🚨€'.repeat(500), bodyEnd: 'complete' }, url) ?? '';
    expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(1_000);
    expect(Buffer.byteLength(reply)).toBeGreaterThan(990);
    expect('a🚨€'.repeat(500).startsWith(reply)).toBe(true);
  });

  it('contains no five characters of a token, wherever a server repeats it and wherever its response is cut', () => {
    const parts = fc.array(fc.oneof(fc.constantFrom(TOKEN, url, `/services/${TOKEN}`), fc.string()), {
      minLength: 1,
    });
    fc.assert(
      fc.property(parts, fc.nat(4_096), (texts, length) => {
        const body = texts.join(' ');
        const reply =
          cleanReply(
            { body: body.slice(0, length), bodyEnd: length < body.length ? 'size-limit' : 'complete' },
            url,
          ) ?? '';
        for (let at = 0; at + 5 <= TOKEN.length; at += 1)
          expect(reply).not.toContain(TOKEN.slice(at, at + 5));
      }),
    );
  });

  it('recognizes a part of a token', () => {
    const body = `no hook ${TOKEN.slice(0, 9)}, ${TOKEN.slice(4, 14)} and ${TOKEN.slice(-8)}.`;
    expect(cleanReply({ body, bodyEnd: 'complete' }, url)).toBe('no hook …, … and ….');
  });

  it('recognizes a token that the URL has with percent-encoding', () => {
    const encoded = 'https://receiver.example/a%20secret%20token';
    expect(cleanReply({ body: 'unknown: a secret token', bodyEnd: 'complete' }, encoded)).toBe('unknown: …');
    const malformed = 'https://receiver.example/a%zzsecret';
    expect(cleanReply({ body: 'unknown: a%zzsecret', bodyEnd: 'complete' }, malformed)).toBe('unknown: …');
  });
});
