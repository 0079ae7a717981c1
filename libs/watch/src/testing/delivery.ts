import type { WatchEvent } from '@touchstone/contract';
import type { Delivery } from '../delivery/deliver.ts';
import { toWatchEvent } from '../events/to-watch-event.ts';
import { createWatchSecret } from '../secrets/watch-secret.ts';
import { AT, CONTEXT, createEntry, createOption, createTerms } from './entries.ts';

const { signingKey, webhookSecret } = createWatchSecret();
export { webhookSecret };

const URLS = {
  webhook: 'https://receiver.example/hook?token=webhook-secret-1',
  slack: 'https://hooks.slack.com/services/T0001AAAA/B0002BBBB/slackSecret123',
  discord: 'https://discord.com/api/webhooks/123456789012345678/discordSecret123',
} as const;

const change = { before: createTerms(createOption()), after: createTerms(createOption({ payTo: '0x2' })) };

export const event: WatchEvent = toWatchEvent(createEntry('payto_change', change), CONTEXT);

/** Creates the first attempt to deliver the event, at a fixed time and without jitter. */
export function createDelivery(channel: keyof typeof URLS, extra: Partial<Delivery> = {}): Delivery {
  const shared = { signingKey, events: [event], watchId: CONTEXT.watchId, attempt: 1 };
  return { channel, url: URLS[channel], ...shared, now: () => AT, random: () => 0.5, ...extra };
}
