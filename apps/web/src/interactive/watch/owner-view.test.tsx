import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Watch } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { SessionContext } from './session.tsx';
import { createWatchClient } from '../trpc/client.ts';
import { OwnerView, WatchStatus } from './owner-view.tsx';
import { ConnectionTests } from './edit-section.tsx';
import {
  WATCH_ID,
  createTestDestination,
  createTestWatch,
  renderAt,
  renderText,
} from './testing/test-watch.tsx';
import { UnlockForm } from './unlock-form.tsx';

/** Renders the page of a watch. Without a browser, it sends no request. */
function renderPage(overrides: Partial<Watch>): string {
  return renderText(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={{ id: WATCH_ID, client: createWatchClient('wsk_test') }}>
        <OwnerView first={createTestWatch(overrides)} renewalPriceUsd="0.200000" onLock={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const SETTINGS = 'Save the settings';
const CANCEL = 'Cancel this watch…';
const EXPIRED = 'Changed settings apply after a renewal.';

describe('OwnerView', () => {
  it.each([
    ['active', [SETTINGS, CANCEL, 'Cancelling ends the watch now.'], [EXPIRED]],
    [
      'expired',
      [SETTINGS, CANCEL, EXPIRED, 'After a cancellation, it cannot be renewed.'],
      ['ends the watch now'],
    ],
    ['cancelled', ['A cancelled watch cannot be renewed.'], [SETTINGS, CANCEL]],
    ['pending', ['State Pending'], [SETTINGS, CANCEL]],
  ] as const)('shows what the owner of a watch that is %s can change', (status, shown, hidden) => {
    const text = renderPage({ status });
    for (const part of shown) expect(text).toContain(part);
    for (const part of hidden) expect(text).not.toContain(part);
  });

  it('says before the checkbox that stored URLs have to be entered again', () => {
    const webhooks = [createTestDestination(), createTestDestination()];
    const text = renderPage({ delivery: { webhooks, chats: [] } });
    expect(text).toContain(
      'Webhook URLs Stored URLs are not shown again. To add or change one, enter all 2 again. Replace all webhook URLs (2 set)',
    );
    expect(text).toContain('Chat URLs Replace all chat URLs (none are set)');
    expect(renderPage({ delivery: { webhooks: webhooks.slice(1), chats: [] } })).toContain(
      'The stored URL is not shown again. To change it or to add one, enter all URLs. Replace all webhook URLs (1 set)',
    );
  });
});

describe('ConnectionTests', () => {
  it('numbers tests with the same shortened URL', () => {
    const test = { url: 'https://chat.example/…', ok: true, status: 200, ms: 5, error: null };
    const text = renderText(<ConnectionTests tests={[test, { ...test, ok: false, status: 404 }]} />);
    expect(text).toContain('Succeeded https://chat.example/… (1 of 2) HTTP status 200, 5 ms');
    expect(text).toContain('Failed https://chat.example/… (2 of 2) HTTP status 404');
  });
});

it('the form for the secret keeps browsers from storing the secret', () => {
  const html = renderAt(<UnlockForm isLocked={false} onOpen={() => undefined} />);
  const [secret] = /<input[^>]*type="password"[^>]*>/.exec(html) ?? [];
  expect(secret).toMatch(/autoComplete="one-time-code"/i);
  expect(html.match(/<input[^>]*autoComplete="off"/gi)).toHaveLength(1);
});

describe('WatchStatus', () => {
  it('shows state, remaining time, sensitivity and events with their units', () => {
    const html = renderAt(<WatchStatus watch={createTestWatch()} />);
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefgh27"');
    const text = renderText(<WatchStatus watch={createTestWatch()} />);
    for (const part of [
      'State Active w_k5xgq2dlmvzw433bnz2gs3tbme',
      'Expires in 12 days 2026-03-16 12:00 UTC',
      'Sensitivity 2 missed probes in a row before an outage is reported: about 10 minutes',
      'Events 2 of 7 types Payment address changed, Outage',
    ]) {
      expect(text).toContain(part);
    }
  });

  it.each([
    [{ status: 'expired', expires_at: '2026-03-03T12:00:00Z' }, 'State Expired', 'End 1 day ago 2026-03-03'],
    [
      { status: 'cancelled', cancelled_at: '2026-03-04T11:00:00Z' },
      'State Cancelled',
      'End 1 hour ago cancelled 2026-03-04',
    ],
    [{ expires_at: '2026-03-04T12:00:30Z' }, 'State Active', 'Expires in less than a minute'],
    [{ liveness_sensitivity_n: 1 }, 'State Active', '1 missed probe before'],
  ] as const)('describes %j', (overrides, state, figure) => {
    const text = renderText(<WatchStatus watch={createTestWatch(overrides)} />);
    expect(text).toContain(state);
    expect(text).toContain(figure);
  });
});
