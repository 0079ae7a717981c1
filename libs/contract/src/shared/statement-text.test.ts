import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStatementText, explainStatementText, MAX_STATEMENT_CHARS } from './statement-text.ts';

const explain = (text: string) => explainStatementText(text, MAX_STATEMENT_CHARS);

describe('a statement of a provider', () => {
  it.each([
    'We moved to a new wallet on 2026-11-20 and announced the move a week before.',
    'The outage from 2026-11-28 14:00 to 15:30 UTC was planned; version 2.1 has no such limit.',
    'The amount is 1,000,000 atomic units (1.00 USDC) on Base, e.g. for 100 tokens; i.e. < 2 % of calls.',
    'Status 402 is sent after authentication, so probes see HTTP 401. We will change it in May.',
    'We moved from Node.js 22 to 24, and use Next.js, since May.',
    'We use Next.js. The file config.json was wrong, and index.ts too.',
    'Region: eu · nodes: three • retry works now',
    'Wir haben den Fehler behoben: das Zertifikat war abgelaufen.',
    '証明書の期限が切れていました。現在は修正済みです。',
    'Сертификат истёк. Мы исправили ошибку.',
    'La col·lecció de preus canvia cada dia.',
    'यह त्रुटि ठीक कर दी गई है।',
  ])('accepts %j', (text) => {
    expect(explain(text)).toBeNull();
  });

  it.each<readonly [string, string, string]>([
    ['link', 'See https://evil.example/a now', 'https://evil.example/a'],
    ['link', 'See hxxps://evil', 'hxxps://evil'],
    ['link', 'Try javascript:alert(1)', 'javascript:alert(1)'],
    ['link', 'Open //evil', '//'],
    ['domain', 'Use api.example.com instead', 'api.example.com'],
    ['domain', 'Use EVIL.COM', 'evil.com'],
    ['domain', 'Use evil．com', 'evil.com'],
    ['domain', 'Use evil。com', 'evil.com'],
    ['domain', 'Use evil․com', 'evil.com'],
    ['domain', 'Use evil·com', 'evil.com'],
    ['domain', 'Use evilꓸcom', 'evil.com'],
    ['domain', 'Use evil ꓸ com', 'evil . com'],
    ['domain', 'Use ｅｖｉｌ.ｃｏｍ', 'evil.com'],
    ['domain', 'Use evil[.]com', 'evil.com'],
    ['domain', 'Use evil ( . ) com', 'evil.com'],
    ['domain', 'Use evil (dot) com', 'evil.com'],
    ['domain', 'Use evil dot com', 'evil.com'],
    ['domain', 'Use evil  dot  com', 'evil.com'],
    ['domain', 'Use evil-dot-com', 'evil.com'],
    ['domain', 'Use evil ,com', 'evil.com'],
    ['domain', 'Use evil_com', 'evil.com'],
    ['domain', 'Use evil|com', 'evil.com'],
    ['domain', 'Pay at next.js.xyz', 'next.js.xyz'],
    ['domain', 'Pay at pay.next.js', 'pay.next.js'],
    ['domain', 'Pay at next.js/pay', 'next.js'],
    ['domain', 'Use evil.\u0301com', 'evil.com'],
    ['domain', 'Use evil ᐧ com', 'evil . com'],
    ['domain', 'Use evil .com', 'evil .com'],
    ['domain', 'Use evil. com', 'evil. com'],
    ['domain', 'Pay alice.eth', 'alice.eth'],
    ['domain', 'Use пример.рф', 'пример.рф'],
    ['domain', 'Use a.xn--p1ai', 'a.xn--p1ai'],
    ['e-mail', 'Write to me@example.com', 'me@example.com'],
    ['e-mail', 'Write to me (at) example', 'me@example'],
    ['e-mail', 'Write to bob AT gmail', 'bob@gmail'],
    ['user name', 'Follow @seller', '@seller'],
    ['user name', 'Follow ＠seller', '@seller'],
    ['chat service', 'Ask on Telegram', 'telegram'],
    ['telephone', 'Call +49 (30) 123-456', '+49 (30) 123-456'],
    ['telephone', 'Call 0800 123 4567', '0800 123 4567'],
    ['telephone', 'Call ٠٨٠٠١٢٣٤٥٦٧', '٠٨٠٠١٢٣٤٥٦٧'],
    ['wallet', 'Pay 0x209693Bc6afc0C5328bA36FaF03C514EF312287C', '0x209693bc6afc0c5328ba36faf03c514ef31228'],
    ['wallet', 'Pay 0x2096…287C', '0x2096...287c'],
    ['wallet', 'Pay 0 x 2 0 9 6 9 3', '0 x 2 0 9 6 9 3'],
    ['wallet', 'Pay 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', '4nd1mbqtrmjvyvfkf2pjy9nzuzdtasp7d4xw'],
    ['IP address', 'Use 10.1.2.3', '10.1.2.3'],
    ['IP address', 'Use 2001:db8:0:1', '2001:db8:0:'],
    ['several alphabets', 'We are pаypal', 'pаypal'],
    ['line break', 'One\nTwo', 'U+000A'],
    ['line break', 'One\u2028Two', 'U+2028'],
    ['direction', 'abc \u202Etxt', 'U+202E'],
    ['invisible', 'evil\u200B.com', 'U+200B'],
    ['invisible', 'a\u00A0b', 'U+00A0'],
    ['control', 'a\u0007b', 'U+0007'],
    ['invisible', 'a\u3164b', 'U+3164'],
    ['invisible', 'a\u{E0041}b', 'U+E0041'],
    ['combining', `a${'\u0301'.repeat(4)}`, 'U+0301'],
  ])('refuses a %s in %j', (name, text, part) => {
    expect(explain(text)).toMatch(/^must be plain text without /);
    expect(explain(text)).toContain(name);
    expect(explain(text)).toContain(`'${part}`);
  });

  it('refuses every web URL and every e-mail address, with its path or without', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.emailAddress(), fc.domain()), fc.boolean(), (place, hasPath) => {
        const text = `Use ${place}${hasPath ? '/a' : ''}`;
        expect(explain([...text].slice(0, MAX_STATEMENT_CHARS).join(''))).not.toBeNull();
      }),
    );
  });

  it('refuses an empty text and a text that is too long, counted in characters', () => {
    expect(explain(' ')).toContain('1 to 280 characters');
    expect(explain('💧 '.repeat(140))).toBeNull();
    expect(explain('💧 '.repeat(141))).toContain('has 282');
  });

  it('is stored without surrounding and repeated spaces', () => {
    expect(createStatementText().parse('  Fixed   today. ')).toBe('Fixed today.');
  });
});
