import {
  getMethodAfterRedirect,
  isRequestableUrl,
  isRedirectStatus,
  MAX_REDIRECTS,
  type Redirect,
} from '@touchstone/common';
import { quote } from '../../json/untrusted-json.ts';
import type { RedirectTarget } from '../../types.ts';
import type { Outcome, RuleInput } from '../rule.ts';

/** Returns true for a redirect that was not followed here, but that clients follow: its target is an http URL. */
function isRedirectForClients(input: RuleInput): boolean {
  const target = findTarget(input);
  return isRedirectStatus(input.status) && target !== null && isRequestableUrl(target);
}

/** Returns the absolute target of the response's Location header; null without a valid one. */
function findTarget({ headers, url, redirects }: RuleInput): URL | null {
  const location = headers.get('location')?.[0];
  return location === undefined ? null : URL.parse(location, redirects.at(-1)?.url ?? url);
}

/** Returns the last target of the followed redirects; null without such redirects. */
export function findRedirectTarget({
  url,
  redirects,
}: Pick<RuleInput, 'url' | 'redirects'>): RedirectTarget | null {
  const last = redirects.at(-1);
  if (last === undefined) return null;
  const requested = URL.parse(url)?.origin;
  return { ...last, isOtherOrigin: redirects.some((hop) => URL.parse(hop.url)?.origin !== requested) };
}

/** Checks that the request was not redirected, whether the redirect was followed or not. */
export function checkRedirect(input: RuleInput): Outcome {
  const { noResponseReason, status, headers, redirects } = input;
  if (noResponseReason !== null) return 'skip';
  if (isRedirectStatus(status)) {
    const location = headers.get('location')?.[0];
    const target = location === undefined ? '' : ` to ${quote(removeQuery(location))}`;
    const message = `The request is redirected${target} with status ${String(status)}${explainNotFollowed(input)}.`;
    return isRedirectForClients(input) ? { message } : { message, severity: 'error', axis: 'payable' };
  }
  return redirects.length === 0 ? 'pass' : { message: describeFollowed(input) };
}

/** Formats the reason why the redirect of the response was not followed; empty when it is not known. */
function explainNotFollowed(input: RuleInput): string {
  const { headers, url, redirects, status, method } = input;
  if (headers.get('location') === undefined) return ' and without a Location header, so clients stop there';
  const target = findTarget(input);
  if (target === null || !isRedirectForClients(input)) return ', to which no client can send a request';
  const from = URL.parse(redirects.at(-1)?.url ?? url);
  if (from?.protocol === 'https:' && target.protocol === 'http:')
    return '. This redirect leads from https to http, so it was not followed';
  if (redirects.length >= MAX_REDIRECTS)
    return `, after ${String(redirects.length)} followed redirects. This redirect was not followed`;
  const isSentElsewhere = /^(?:GET|POST)$/.test(getMethodAfterRedirect(status, method ?? 'GET'));
  return isSentElsewhere || target.host === from?.host
    ? ''
    : '. This check sends only GET and POST to another host, so the redirect was not followed';
}

function describeFollowed(input: RuleInput): string {
  const { method, redirects } = input;
  const hops = redirects.map(
    ({ status, url: target }) => `to ${quote(removeQuery(target))} with status ${String(status)}`,
  );
  return [
    `The request is redirected ${hops.join(', then ')}.`,
    ...(isMethodChanged(method, redirects) ? [`Clients then send GET instead of ${method ?? ''}.`] : []),
    ...(findRedirectTarget(input)?.isOtherOrigin === true
      ? ['A server of another origin receives the payment.']
      : []),
  ].join(' ');
}

/**
 * Removes the query of a URL. A query with the time or a request id would give each challenge of an endpoint another
 * message.
 */
function removeQuery(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** Returns true when a redirect turns the method into GET. Source: Fetch standard, 4.4, HTTP-redirect fetch. */
function isMethodChanged(method: string | null, redirects: readonly Redirect[]): boolean {
  if (method === null || method === 'HEAD') return false;
  return redirects.some(({ status }) => getMethodAfterRedirect(status, method) !== method);
}
