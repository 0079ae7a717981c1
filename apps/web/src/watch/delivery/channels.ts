import type { WatchDestination } from '@touchstone/contract';

/** Names of the channels, for people. */
export const CHANNEL_NAMES: Readonly<Record<WatchDestination['channel'], string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
};
