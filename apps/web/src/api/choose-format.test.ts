import { describe, expect, it } from 'vitest';
import { chooseFormat, readPreferredFormat } from './choose-format.ts';

const PAGE_READERS = [
  // The word `compatible;`.
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  // Words with a contact URL.
  'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (KHTML, like Gecko) (Newbot/0.1; +http://newbot.example)',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  // Names.
  ...['Twitterbot/1.0', 'Slackbot-LinkExpanding 1.0', 'TelegramBot (like TwitterBot)', 'WhatsApp/2.23.20.0'],
  ...['OAI-SearchBot/1.0', 'MistralAI-User/1.0', 'W3C_Validator/1.3', 'Validator.nu/LV', 'Yeti/1.1'],
  ...['Mail.RU_Bot/2.1', 'Mattermost-Bot/1.1', 'Lemmy/0.19.3; +https://lemmy.example'],
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/)',
];

const API_CLIENTS = [
  ...[null, '', 'curl/8.5.0', 'node', 'python-requests/2.32.5'],
  ...['my-trading-bot/1.0', 'TradingBot/1.0', 'agent402bot', 'x402-crawler/1', 'price-validator/1.0'],
  // Contact URLs without a word, and a word only in the URL.
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'agent/1.0 (+https://agent.example/bot)',
  // Clients and monitors with `compatible;`.
  'Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com; id: x)',
  'Mozilla/4.0 (compatible; Win32; WinHttp.WinHttpRequest.5)',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.2)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  // A browser.
  'Mozilla/5.0 (Linux; Android 8.1.0; CUBOT X18) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
];

describe('chooseFormat', () => {
  it.each([
    ...PAGE_READERS.map((userAgent) => ['html', userAgent] as const),
    ...API_CLIENTS.map((userAgent) => ['json', userAgent] as const),
  ])('chooses %s for %s, which accepts every type', (format, userAgent) => {
    for (const accept of ['*/*', '', null, 'image/png, */*;q=0.1'])
      expect(chooseFormat({ accept, userAgent })).toBe(format);
    expect(chooseFormat({ accept: 'application/json, */*', userAgent })).toBe('json');
    expect(chooseFormat({ accept: 'text/html, */*', userAgent })).toBe('html');
  });
});

describe('readPreferredFormat', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json;q=0.5, text/html;q=0.8',
    'application/json, text/html',
    'text/html;level=1;q=0.1',
    '*/*,text/html;q=0.001',
  ])('returns html for %j', (accept) => {
    expect(readPreferredFormat(accept)).toBe('html');
  });

  it.each([
    'application/json, text/html;q=0.9',
    'application/json, text/plain, */*',
    'application/ld+json',
    '*/*, Application/JSON;q=0.5',
    'text/html;q=0',
    'text/html;q=0.000, application/json',
    'text/html;q=2',
  ])('returns json for %j', (accept) => {
    expect(readPreferredFormat(accept)).toBe('json');
  });

  it.each([null, '', '*/*', 'text/html-not', 'text/event-stream', 'application/json;q=0, */*', ',;,;q='])(
    'returns null for %j',
    (accept) => {
      expect(readPreferredFormat(accept)).toBeNull();
    },
  );
});
