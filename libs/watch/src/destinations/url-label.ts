import type { WatchChannel } from '@touchstone/contract';

/** Hosts of Discord. `discord.sandbox.test` is the host of the sandbox that simulates Discord. */
const DISCORD_HOSTS: ReadonlySet<string> = new Set([
  'discord.com',
  'discordapp.com',
  'ptb.discord.com',
  'canary.discord.com',
  'discord.sandbox.test',
]);

/** Hosts of Slack. `slack.sandbox.test` is the host of the sandbox that simulates Slack. */
const SLACK_HOSTS: ReadonlySet<string> = new Set([
  'hooks.slack.com',
  'hooks.slack-gov.com',
  'slack.sandbox.test',
]);

/** Number of characters at the end of a URL that a label shows. */
const SHOWN_CHARS = 4;
/**
 * Minimum length of path and query together. The end of a shorter text is not shown, because it could be most of a
 * secret.
 */
const MIN_SHORTENED_CHARS = 12;

/**
 * Returns the product whose format a chat webhook expects, by its host and path. Discord reads the format of Slack at
 * paths that end in `/slack`. Every host that does not belong to Discord gets the format of Slack, which Mattermost and
 * Rocket.Chat also accept.
 *
 * @param url absolute URL
 */
export function toChatKind(url: string): Exclude<WatchChannel, 'webhook'> {
  return isDiscordUrl(url) && !/\/slack\/?$/.test(new URL(url).pathname) ? 'discord' : 'slack';
}

/** Returns true for a URL of Discord. @param url absolute URL */
export function isDiscordUrl(url: string): boolean {
  return DISCORD_HOSTS.has(getHost(url));
}

/** Returns true for a URL of Slack. @param url absolute URL */
export function isSlackUrl(url: string): boolean {
  return SLACK_HOSTS.has(getHost(url));
}

/** Returns the host of a URL, without the dot at the end of a fully qualified name. @param url absolute URL */
export function getHost(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * Returns a label by which the owner recognizes a URL: the origin, `/…` and the last 4 characters. The label hides the
 * rest of path and query, because this rest may contain a secret.
 *
 * @param url absolute URL
 * @example toUrlLabel('https://hooks.slack.com/services/T1/B2/a1b2c3d4') // 'https://hooks.slack.com/…c3d4'
 */
export function toUrlLabel(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const rest = pathname.slice(1) + search;
  return `${origin}/…${rest.length < MIN_SHORTENED_CHARS ? '' : rest.slice(-SHOWN_CHARS)}`;
}
