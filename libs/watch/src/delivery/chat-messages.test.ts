import type { WatchEvent } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWatchEvent } from '../events/to-watch-event.ts';
import type { LogEntry } from '../events/log-entry.ts';
import { AT, CONTEXT, createEntry, createOption, createTerms } from '../testing/entries.ts';
import {
  formatDiscordMessage,
  formatDiscordTest,
  formatSlackMessage,
  formatSlackTest,
} from './chat-messages.ts';

const NEW_WALLET = '0x2222222222222222222222222222222222222222';

const createEvent = (type: LogEntry['type'], data: unknown, at = AT): WatchEvent =>
  toWatchEvent(createEntry(type, data, at), CONTEXT);

const PAGE = 'https://touchstone.example/docs#watch-messages';
const SLACK_LINKS = [`<${CONTEXT.endpointPage}|Endpoint page>`, `<${PAGE}|Touchstone>`];
const NOTICE = `Watch \`${CONTEXT.watchId}\`, sent by <${PAGE}|Touchstone>. To refuse, delete this webhook or respond with status 410.`;
const DISCORD_NOTICE = NOTICE.replace(/<(.*)\|(.*)>/, '[$2](<$1>)');
const toContent = (events: readonly WatchEvent[]) => ({ watchId: CONTEXT.watchId, events });
const toTest = (resource: string) => ({ ...CONTEXT, resource, baseUrl: 'https://touchstone.example' });

const createPayToChange = (payTo: string): WatchEvent =>
  createEvent('payto_change', {
    before: createTerms(createOption()),
    after: createTerms(createOption({ payTo })),
  });

describe('a Slack message', () => {
  it('names the change, the endpoint, both values and the time, and links the endpoint page', () => {
    expect(formatSlackMessage(toContent([createPayToChange(NEW_WALLET)]))).toEqual({
      text: [
        '🚨 *The payTo address changed*',
        'Endpoint: `https://api.example.com/v1/weather`',
        `The address that receives \`USDC\` on Base changed from \`0x${'1'.repeat(40)}\` to \`${NEW_WALLET}\`.`,
        'Observed: 2026-11-23 00:10 UTC',
        `<${CONTEXT.endpointPage}|Endpoint page>`,
        NOTICE,
      ].join('\n'),
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it.each(['<!channel>', '<@U012AB3CD>', '<https://evil.example|Endpoint page>', '&lt;!channel&gt;'])(
    'contains provider text as text: %s',
    (text) => {
      const message = formatSlackMessage(toContent([createPayToChange(text)])).text;
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(message).toContain(`\`${escaped.replaceAll('@', '@\u200b')}\``);
      expect(message.match(/<[^>]*>/g)).toEqual(SLACK_LINKS);
    },
  );
});

describe('a Discord message', () => {
  it('has the same text in the markup of Discord, and mentions nobody', () => {
    const events = [createPayToChange(NEW_WALLET)];
    const [title = '', ...lines] = formatSlackMessage(toContent(events)).text.split('\n').slice(0, -2);
    const link = `[Endpoint page](<${CONTEXT.endpointPage}>)`;
    expect(formatDiscordMessage(toContent(events))).toEqual({
      content: [title.replaceAll('*', '**'), ...lines, link, DISCORD_NOTICE].join('\n'),
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });
});

describe('any provider text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          ...['<!channel>', '<@U1>', '@here', '@everyone', '`', '```', '<', '>', '&', '\n', '*', '🚨'],
        ),
      )
      .map((parts) => parts.join('')),
  );
  const event = fc
    .array(fc.record({ payTo: text, asset: text, network: text }), { minLength: 1, maxLength: 100 })
    .map((options) =>
      createEvent('payto_change', {
        before: createTerms(createOption()),
        after: createTerms(...options.map(createOption)),
      }),
    );

  it('cannot mention anyone, break out of its code span or exceed the limits', () => {
    fc.assert(
      fc.property(event, text, (each, resource) => {
        const events = [{ ...each, endpoint: resource }];
        const slack = formatSlackMessage(toContent(events)).text;
        const discord = formatDiscordMessage(toContent(events)).content;
        for (const message of [
          slack,
          discord,
          formatSlackTest(toTest(resource)).text,
          formatDiscordTest(toTest(resource)).content,
        ]) {
          expect(message).not.toMatch(/@(here|everyone|channel|all|U1)/);
          expect(message.isWellFormed()).toBe(true);
          // Every line belongs to our own text: no provider text adds a line.
          expect(message.split('\n').length).toBeLessThanOrEqual(6);
        }
        expect(discord.length).toBeLessThanOrEqual(2_000);
        expect(slack.length).toBeLessThanOrEqual(4_000);
        expect(slack.match(/<[^>]*>/g)).toEqual(SLACK_LINKS);
        expect(discord.endsWith(`[Endpoint page](<${CONTEXT.endpointPage}>)\n${DISCORD_NOTICE}`)).toBe(true);
        // Outside of code spans there is only text of this service.
        for (const message of [slack, discord]) {
          const outside = message.replace(/`[^`\n]*`/g, '');
          expect(outside).toMatch(/^[A-Za-z0-9 .,:()/*<>|[\]\n🚨…#-]*$/u);
          expect(outside).not.toContain('`');
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
    );
  });
});

it('cuts a message that would be too long without opening a code span, and keeps the link', () => {
  const create = (start: string) =>
    createTerms(
      ...Array.from({ length: 3 }, (_, index) =>
        createOption({
          payTo: `${start}${index}`.repeat(100),
          network: `${index}`.repeat(190),
          assetSymbol: 's'.repeat(190),
        }),
      ),
    );
  const event = createEvent('payto_change', { before: create('a'), after: create('b') });
  for (let length = 0; length < 120; length += 1) {
    const { content } = formatDiscordMessage(toContent([{ ...event, endpoint: 'e'.repeat(length) }]));
    expect(content.split('`').length % 2).toBe(1);
    expect(content).toMatch(/…[^…]*\n\[Endpoint page\]\(<[^>]*>\)\n[^\n]*$/);
    expect(content.length).toBeLessThanOrEqual(2_000);
  }
});

describe('merged liveness', () => {
  const down = (at: number) =>
    createEvent(
      'liveness_down',
      {
        after: {
          liveness: 'down',
          downSince: new Date(at - 300_000).toISOString(),
          missedProbes: 2,
          outcome: 'timeout',
          httpStatus: null,
        },
      },
      at,
    );
  const up = (at: number) =>
    createEvent(
      'liveness_recovered',
      { before: { liveness: 'down', downSince: new Date(at - 600_000).toISOString() } },
      at,
    );

  it('is one message, whose title is the current state', () => {
    const events = [down(AT), up(AT + 300_000), down(AT + 600_000)];
    const lines = formatSlackMessage(toContent(events)).text.split('\n');
    expect(lines).toEqual([
      '⚠️ *The endpoint is down*',
      'Endpoint: `https://api.example.com/v1/weather`',
      'Its state changed 3 times:',
      expect.stringMatching(
        /^• 2026-11-23 00:10 UTC: The endpoint has been down since 2026-11-23 00:05 UTC: 2 scheduled/,
      ),
      expect.stringMatching(
        /^• 2026-11-23 00:15 UTC: The endpoint responds again since 2026-11-23 00:15 UTC\. It was/,
      ),
      expect.stringMatching(/^• 2026-11-23 00:20 UTC: The endpoint has been down since/),
      `<${CONTEXT.endpointPage}|Endpoint page>`,
      NOTICE,
    ]);
    expect(formatDiscordMessage(toContent(events)).content.split('\n').slice(3, 6)).toEqual(
      lines.slice(3, 6),
    );
  });

  it('lists the latest ten of many, within the limit of Discord', () => {
    const events = Array.from({ length: 500 }, (_, index) =>
      (index % 2 === 0 ? down : up)(AT + index * 300_000),
    );
    const { content } = formatDiscordMessage(toContent(events));
    expect(content).toContain('changed 500 times');
    expect(content).toContain('the first 490 are in the log');
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).toContain('The endpoint is up again');
  });

  it('needs an event', () => {
    expect(() => formatSlackMessage(toContent([]))).toThrow('at least one event');
  });
});

it('names the watch, the number of events by type and their log, in a digest', () => {
  const range = { firstSequence: 3, lastSequence: 5, lastAt: AT };
  const pollUrl = 'https://touchstone.example/v1/watch/w_1/events';
  const digest = { ...CONTEXT, ...range, pollUrl, counts: { payto_change: 1, price_change: 2 } };
  expect(formatSlackMessage({ digest }).text.split('\n')).toEqual([
    '🚨 *Events could not be delivered singly*',
    'Endpoint: `https://api.example.com/v1/weather`',
    '3 events of this watch could not be delivered singly, because this receiver gets at most 600 messages in 24 hours, and at most 100 from one watch: 2 price_change, 1 payto_change. The log of the watch has all events.',
    '<https://touchstone.example/watch|Log of the watch>',
    NOTICE,
  ]);
  expect(formatDiscordMessage({ digest }).content).toContain('3 events of this watch');
});
