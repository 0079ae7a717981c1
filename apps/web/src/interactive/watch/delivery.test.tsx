import { describe, expect, it } from 'vitest';
import type { Attempt } from '../trpc/client.ts';
import { createTestDestination, renderAt, renderText, WATCH_ID } from './testing/test-watch.tsx';
import { Attempts, DestinationSection } from './delivery.tsx';

describe('DestinationSection', () => {
  it('shows the state of each destination in words', () => {
    const delivery = {
      webhooks: [
        createTestDestination(),
        createTestDestination({
          status: 'failing',
          failing_since: '2026-03-04T11:00:00Z',
          pending_events: 2,
          last_attempt: { at: '2026-03-04T11:55:00.000Z', http_status: 500, ok: false, error: 'http-500' },
        }),
      ],
      chats: [
        createTestDestination({
          channel: 'slack',
          status: 'disabled',
          disabled_reason: 'gone',
          last_attempt: null,
        }),
        createTestDestination({ channel: 'discord', status: 'disabled', disabled_reason: 'failing' }),
      ],
    };
    const text = renderText(<DestinationSection delivery={delivery} />);
    for (const part of [
      'Active Webhook https://alerts.example/…hook (1 of 4) No pending events. Last attempt succeeded 2026-03-04 11:55 UTC (5 minutes ago) .',
      'Failing Webhook https://alerts.example/…hook (2 of 4) All messages since 2026-03-04 11:00 UTC (1 hour ago) failed. They are sent again. 2 pending events. Last attempt failed (HTTP status 500)',
      'Disabled Slack https://alerts.example/…hook (3 of 4) The URL responded that it no longer exists.',
      'No attempt yet.',
      'Disabled Discord https://alerts.example/…hook (4 of 4) No message succeeded for 120 hours.',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('says that there are none', () => {
    expect(renderText(<DestinationSection delivery={{ webhooks: [], chats: [] }} />)).toContain(
      'None. The events are only in the timeline.',
    );
  });
});

const createAttempt = (sequence: number, overrides: Partial<Attempt> = {}): Attempt => ({
  at: '2026-03-04T11:55:00.000Z',
  channel: 'webhook',
  url: 'https://alerts.example/…hook',
  event_id: `evt_${WATCH_ID.slice(2)}_${sequence}`,
  type: 'payto_change',
  duration_ms: 1234,
  phase: null,
  http_status: 200,
  reply: null,
  error: null,
  ok: true,
  next_attempt_at: null,
  ...overrides,
});

describe('Attempts', () => {
  it('shows result, duration in milliseconds and the next attempt', () => {
    const attempts = [
      createAttempt(2, {
        ok: false,
        http_status: null,
        error: 'timeout',
        phase: 'connect',
        next_attempt_at: '2026-03-04T12:05:00.000Z',
      }),
      createAttempt(1, { reply: 'thank\u202E you' }),
    ];
    const text = renderText(<Attempts attempts={attempts} />);
    expect(text).toContain(
      'Failed timeout, in the phase connect Payment address changed no. 2 Webhook https://alerts.example/…hook 1,234 ms 2026-03-04 12:05 UTC (in 5 minutes)',
    );
    expect(text).toContain(
      'Delivered HTTP status 200 Response of the receiver thank you Payment address changed no. 1 Webhook https://alerts.example/…hook 1,234 ms none',
    );
  });

  it('can be scrolled with the keyboard, and has column headers', () => {
    const html = renderAt(<Attempts attempts={[createAttempt(1)]} />);
    expect(html).toMatch(/tabindex="0" role="region" aria-label="Table of delivery attempts"/i);
    expect(html.match(/<th scope="col"/g)).toHaveLength(6);
  });

  it('shows ten attempts at first', () => {
    const attempts = Array.from({ length: 12 }, (_, index) => createAttempt(12 - index));
    expect(renderAt(<Attempts attempts={attempts} />).match(/<td class[^>]*><time/g)).toHaveLength(10);
    expect(renderText(<Attempts attempts={attempts} />)).toContain('Show 2 older');
  });

  it('says that nothing was sent yet', () => {
    expect(renderText(<Attempts attempts={[]} />)).toBe('No event has been sent yet.');
  });
});
