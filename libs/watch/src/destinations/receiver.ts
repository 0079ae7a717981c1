import { createHash } from 'node:crypto';
import { decodePercent } from '@touchstone/x402/json';
import { getDomain } from 'tldts';
import { getHost, isDiscordUrl, isSlackUrl } from './url-label.ts';

/** Platforms, with the number of path segments that identify a customer. A customer with a host of its own needs none. */
const PATH_HOSTS: readonly (readonly [host: RegExp, segments: number])[] = [
  [/^hooks\.zapier\.com$/, 3],
  [/^hook\.[^.]+\.make\.com$/, 1],
  [/\.logic\.azure\.com$/, 2],
  [/^chat\.googleapis\.com$/, 3],
  [/^open\.(feishu\.cn|larksuite\.com)$/, 5],
  [/^maker\.ifttt\.com$/, 5],
  [/^(webhook\.site|api\.telegram\.org)$/, 1],
  [/\.(api\.powerplatform|webhook\.office)\.com$|\.app\.n8n\.cloud$|\.m\.pipedream\.net$/, 0],
];

/** Platforms whose customers are identified by a parameter of the query. */
const QUERY_HOSTS: ReadonlyMap<string, string> = new Map([
  ['oapi.dingtalk.com', 'access_token'],
  ['qyapi.weixin.qq.com', 'key'],
]);

/**
 * Returns the receiver of a URL, for which messages are limited: a domain with all its host names and URLs, because one
 * server can have any number of them. A domain is registered below a suffix of the Public Suffix List, which includes
 * platforms such as `vercel.app`. Each chat of Slack and Discord, and each customer of a listed platform, is a receiver.
 * Its name is a hash of the part of the URL that identifies the chat or the customer.
 *
 * @param url absolute URL
 * @example toReceiver('https://a.b.example.co.uk/hook') // 'example.co.uk'
 */
export function toReceiver(url: string): string {
  const host = getHost(url);
  const path = toIdentifyingPath(url, host);
  if (path !== null) return `path ${createHash('sha256').update(path.join('/')).digest('hex')}`;
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(host, options) ?? host;
}

/** Returns the product or host, and what identifies a receiver in its URL; null if its domain is the receiver. */
function toIdentifyingPath(url: string, host: string): readonly string[] | null {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname
    .split('/')
    .filter(Boolean)
    .map((segment) => decodePercent(segment) ?? segment);
  // The path is `services/T…/B…/token`.
  if (isSlackUrl(url)) return ['slack', ...segments.slice(0, 4)];
  // The path contains `webhooks/id/token`, after an optional version.
  if (isDiscordUrl(url)) return ['discord', ...segments.slice(segments.indexOf('webhooks')).slice(0, 3)];
  const ids = searchParams.getAll(QUERY_HOSTS.get(host) ?? '');
  // The platform may read any of several values.
  if (QUERY_HOSTS.has(host)) return ids.length === 1 ? [host, ...ids] : null;
  const count = PATH_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  return count === undefined ? null : [host, ...segments.slice(0, count)];
}

/** Returns true for a URL of Slack or Discord. @param url absolute URL */
export function isSharedChat(url: string): boolean {
  return isDiscordUrl(url) || isSlackUrl(url);
}
