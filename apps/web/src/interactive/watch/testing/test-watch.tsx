import type { Watch, WatchAlert, WatchDestination, WatchLifecycleEvent } from '@touchstone/contract';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { extractText } from '../../../testing/html-text.ts';
import { NowContext } from '../watch-parts.tsx';

/** Time at which the tests render, in milliseconds since the epoch. */
const NOW = Date.parse('2026-03-04T12:00:00Z');

export const WATCH_ID = 'w_k5xgq2dlmvzw433bnz2gs3tbme';

/** Renders a part of the page at `NOW`. */
export function renderAt(part: ReactNode): string {
  return renderToStaticMarkup(<NowContext value={NOW}>{part}</NowContext>);
}

/** Renders a part of the page at `NOW` and returns its text. */
export function renderText(part: ReactNode): string {
  return extractText(renderAt(part)).trim();
}

/** Creates an active watch with 12 days left. The overrides replace single members. */
export function createTestWatch(overrides: Partial<Watch> = {}): Watch {
  const url = `https://touchstone.example/v1/watch/${WATCH_ID}`;
  return {
    watch_id: WATCH_ID,
    status: 'active',
    endpoint: 'https://api.example.com/weather',
    endpoint_page: 'https://touchstone.example/endpoint/api-example-com-weather-abcdefgh27',
    events: ['payto_change', 'liveness_down'],
    liveness_sensitivity_n: 2,
    created_at: '2026-02-14T12:00:00.000Z',
    expires_at: '2026-03-16T12:00:00.000Z',
    cancelled_at: null,
    ...{ poll_url: `${url}/events`, renew_url: `${url}/renew`, edit_url: url, cancel_url: url },
    delivery: { webhooks: [], chats: [] },
    ...overrides,
  };
}

/** Creates a webhook whose last attempt succeeded five minutes ago. */
export function createTestDestination(overrides: Partial<WatchDestination> = {}): WatchDestination {
  return {
    channel: 'webhook',
    url: 'https://alerts.example/…hook',
    ...{ status: 'active', disabled_reason: null, failing_since: null, pending_events: 0 },
    last_attempt: { at: '2026-03-04T11:55:00.000Z', http_status: 200, ok: true, error: null },
    ...overrides,
  };
}

const entry = (sequence: number) => ({
  event_id: `evt_${WATCH_ID.slice(2)}_${sequence}`,
  observed_at_iso: '2026-03-04T11:55:00.000Z',
  endpoint: 'https://api.example.com/weather',
});

/** Creates an alert of the given type, five minutes ago. */
export function createTestAlert(
  sequence: number,
  { type, severity = 'warning' }: Pick<WatchAlert, 'type'> & Partial<Pick<WatchAlert, 'severity'>>,
  data: Partial<WatchAlert['data']> = {},
): WatchAlert {
  return {
    ...entry(sequence),
    type,
    severity,
    data: {
      sequence,
      summary: `Summary ${sequence}.`,
      endpoint_page: 'https://touchstone.example/endpoint/x-abcdefgh27',
      before: null,
      after: null,
      ...data,
    },
  };
}

/** Creates a lifecycle event of the given type, five minutes ago. */
export function createTestLifecycleEvent(
  sequence: number,
  type: WatchLifecycleEvent['type'],
): WatchLifecycleEvent {
  return {
    ...entry(sequence),
    type,
    severity: 'info',
    data: {
      sequence,
      summary: `Summary ${sequence}.`,
      endpoint_page: 'https://touchstone.example/endpoint/x-abcdefgh27',
    },
  };
}
