import { expect, type Outcome, type Subject } from './rule.ts';
import { quote } from '../text.ts';

const NGINX_BUFFER_BYTES = 8_192;
const NODE_HEADER_BYTES = 16_384;
/** A list header is read this far; no client accepts a longer one. */
const MAX_LIST_LENGTH = 16_384;
const EXPOSED = ['payment-required', 'payment-response'];

/** May a cache keep the challenge and show it to another buyer? */
export function checkCacheControl({ headers, v2 }: Subject): Outcome {
  const directives = new Map(listOf(headers, 'cache-control').map(readDirective));
  if (directives.size === 0) {
    // No cache keeps a 402 unless it is told to (RFC 9111, 3), so silence is a fault only in a
    // version 2 server, whose reference implementation always says no-store.
    return v2 === null ? 'skip' : { message: 'The answer has no Cache-Control.' };
  }
  if (directives.has('no-store') || directives.has('private')) return 'pass';
  const lives = ['max-age', 's-maxage'].some((name) => Number(directives.get(name)) > 0);
  return directives.has('public') || (lives && !directives.has('no-cache'))
    ? { message: 'Caches may keep this challenge and show it to other buyers.', severity: 'error' }
    : { message: 'Cache-Control says neither no-store nor private.' };
}

/** A directive by name; an argument may be quoted (RFC 9111, 5.2). */
function readDirective(directive: string): [name: string, argument: string] {
  const equals = directive.indexOf('=');
  if (equals === -1) return [directive, ''];
  return [
    directive.slice(0, equals).trim(),
    directive
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim(),
  ];
}

/** Is a version 1 challenge declared as the JSON it is? */
export function checkContentType({ headers, v1 }: Subject): Outcome {
  if (v1 === null) return 'skip';
  const [type] = headers.get('content-type') ?? [];
  if (type === undefined) return { message: 'The version 1 challenge in the body has no Content-Type.' };
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return expect(
    essence === 'application/json' || essence.endsWith('+json'),
    () => `The version 1 challenge in the body is declared as ${quote(type)}, which is no JSON type.`,
  );
}

/** Can a page of another origin, which may read the answer, read the payment headers too? */
export function checkCorsExpose({ headers, header }: Subject): Outcome {
  if (header.state === 'absent' || listOf(headers, 'access-control-allow-origin').length === 0) return 'skip';
  const exposed = new Set(listOf(headers, 'access-control-expose-headers'));
  // With credentials the star is a header name like any other.
  const withCredentials = listOf(headers, 'access-control-allow-credentials').includes('true');
  if (exposed.has('*') && !withCredentials) return 'pass';
  const hidden = EXPOSED.filter((name) => !exposed.has(name)).map((name) => name.toUpperCase());
  return expect(
    hidden.length === 0,
    () => `Pages of other origins may read the answer, but not its header ${hidden.join(' and ')}.`,
  );
}

/** Do proxies and clients take a header of this length? */
export function checkChallengeSize({ header }: Subject): Outcome {
  if (header.state === 'absent') return 'skip';
  const { length } = header;
  if (length > NODE_HEADER_BYTES) {
    const message = `PAYMENT-REQUIRED has ${String(length)} characters; Node clients accept 16 KB of headers in all.`;
    return { message, severity: 'error', axis: 'payable' };
  }
  return expect(
    length <= NGINX_BUFFER_BYTES,
    () =>
      `PAYMENT-REQUIRED has ${String(length)} characters; many proxies have a buffer of 8 KB for headers.`,
  );
}

/** The elements of a list header over all its fields, in lower case. */
function listOf(headers: Subject['headers'], name: string): string[] {
  return (headers.get(name) ?? [])
    .flatMap((value) => value.slice(0, MAX_LIST_LENGTH).toLowerCase().split(','))
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
