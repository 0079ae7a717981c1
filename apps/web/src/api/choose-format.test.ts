import { describe, expect, it } from 'vitest';
import { chooseFormat, readPreferredFormat } from './choose-format.ts';

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const PAGE_READERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (KHTML, like Gecko) (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23.20.0',
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
  'redditbot/1.0',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  ...['GPTBot/1.2', 'ClaudeBot/1.0', 'PerplexityBot/1.0', 'OAI-SearchBot/1.0', 'AI2Bot', 'ChatGPT-User/1.0'],
  ...['ia_archiver', 'W3C_Validator/1.3', 'Validator.nu/LV', 'Iframely/1.3.1'],
];

const API_CLIENTS = [
  ...[null, '', 'curl/8.5.0', 'Wget/1.21', 'node', 'undici', 'axios/1.12.0', 'python-requests/2.32.5'],
  ...[
    'python-httpx/0.28',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'Deno/2.5',
    'Bun/1.3',
    'PostmanRuntime/7.39',
  ],
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'got (https://github.com/sindresorhus/got)',
  'my-trading-bot/1.0',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1',
  BROWSER,
];

describe('chooseFormat', () => {
  it.each(PAGE_READERS)('chooses HTML for %s, which accepts every type', (userAgent) => {
    for (const accept of ['*/*', '', null, 'image/png, */*;q=0.1'])
      expect(chooseFormat({ accept, userAgent })).toEqual({ format: 'html', vary: 'Accept, User-Agent' });
    expect(chooseFormat({ accept: 'application/json, */*', userAgent })).toEqual({
      format: 'json',
      vary: 'Accept',
    });
  });

  it.each(API_CLIENTS)('chooses JSON for %s, which accepts every type', (userAgent) => {
    for (const accept of ['*/*', null])
      expect(chooseFormat({ accept, userAgent })).toEqual({ format: 'json', vary: 'Accept, User-Agent' });
    expect(chooseFormat({ accept: 'text/html, */*', userAgent })).toEqual({ format: 'html', vary: 'Accept' });
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
