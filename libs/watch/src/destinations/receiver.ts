import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { getHost, isDiscordUrl, isSlackUrl } from './url-label.ts';

/** Second label of host names below which a country registers domains, such as `example.co.uk`. */
const REGISTRY_LABELS: ReadonlySet<string> = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gov',
  'ne',
  'net',
  'or',
  'org',
]);

/**
 * Returns the receiver of a URL, for which messages are limited: a domain with all its host names and URLs, because one
 * server can have any number of them. Each URL of Slack and Discord is a receiver of its own, because all chats share
 * their hosts. It is returned as a hash.
 *
 * @param url absolute URL
 * @example toReceiver('https://a.b.example.co.uk/hook') // 'example.co.uk'
 */
export function toReceiver(url: string): string {
  if (isSharedChat(url)) return `chat ${createHash('sha256').update(url).digest('hex')}`;
  const host = getHost(url);
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host;
  const labels = host.split('.');
  const isBelowRegistry = labels.at(-1)?.length === 2 && REGISTRY_LABELS.has(labels.at(-2) ?? '');
  return labels.slice(isBelowRegistry ? -3 : -2).join('.');
}

/** Returns true for a URL of Slack or Discord. @param url absolute URL */
export function isSharedChat(url: string): boolean {
  return isDiscordUrl(url) || isSlackUrl(url);
}
