import { passIf, type Outcome, type RuleInput } from '../rule.ts';
import { exceedsNodeLimit, explainHeaderSize } from '../../challenge/header-size.ts';
import { quote } from '../../json/clean-text.ts';

const NGINX_HEADER_BUFFER_BYTES = 8_192;
/** Maximum number of characters that are read from a comma-separated header. Clients reject longer headers. */
const MAX_LIST_HEADER_CHARS = 16_384;
const PAYMENT_HEADERS = ['payment-required', 'payment-response'];

/** Checks that Cache-Control keeps shared caches from serving the challenge to another buyer. */
export function checkCacheControl({ headers, v2 }: RuleInput): Outcome {
  const directives = new Map(parseListHeader(headers, 'cache-control').map(parseDirective));
  if (directives.size === 0) {
    // Caches store a 402 response only when a header allows it (RFC 9111, 3), so a missing Cache-Control is harmless.
    // In version 2 it still fails, because the reference server always sends no-store.
    return v2 === null ? 'skip' : { message: 'The response has no Cache-Control header.' };
  }
  if (directives.has('no-store') || directives.has('private')) return 'pass';
  const isFresh = ['max-age', 's-maxage'].some((name) => Number(directives.get(name)) > 0);
  return directives.has('public') || (isFresh && !directives.has('no-cache'))
    ? {
        message: 'Cache-Control lets caches store this challenge and serve it to other buyers.',
        severity: 'error',
      }
    : { message: 'Cache-Control contains neither no-store nor private.' };
}

/** Splits a Cache-Control directive into name and argument. The argument may be quoted (RFC 9111, 5.2). */
function parseDirective(directive: string): [name: string, argument: string] {
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

/** Checks that a version 1 challenge has a JSON content type. */
export function checkContentType({ headers, v1 }: RuleInput): Outcome {
  if (v1 === null) return 'skip';
  const [type] = headers.get('content-type') ?? [];
  if (type === undefined)
    return { message: 'The version 1 challenge in the body has no Content-Type header.' };
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return passIf(
    essence === 'application/json' || essence.endsWith('+json'),
    () =>
      `The Content-Type of the version 1 challenge is ${quote(type)}; it must be a JSON type such as application/json.`,
  );
}

/** Checks that CORS exposes the payment headers to every cross-origin page that can read the response. */
export function checkCorsExpose({ headers, header }: RuleInput): Outcome {
  if (header.state === 'absent' || parseListHeader(headers, 'access-control-allow-origin').length === 0)
    return 'skip';
  const exposed = new Set(parseListHeader(headers, 'access-control-expose-headers'));
  // With credentials, `*` exposes no headers, because it is a literal header name (Fetch standard).
  const withCredentials = parseListHeader(headers, 'access-control-allow-credentials').includes('true');
  if (exposed.has('*') && !withCredentials) return 'pass';
  const hidden = PAYMENT_HEADERS.filter((name) => !exposed.has(name)).map((name) => name.toUpperCase());
  return passIf(
    hidden.length === 0,
    () => `Cross-origin pages can read the response, but not its header ${hidden.join(' and ')}.`,
  );
}

/**
 * Checks that Node.js clients read the response headers, and that the PAYMENT-REQUIRED header is short enough for common
 * proxies.
 */
export function checkChallengeSize({ header, headerBytes }: RuleInput): Outcome {
  if (exceedsNodeLimit(headerBytes))
    return { message: explainHeaderSize(headerBytes), severity: 'error', axis: 'payable' };
  if (header.state === 'absent') return 'skip';
  const { length } = header;
  return passIf(
    length <= NGINX_HEADER_BUFFER_BYTES,
    () => `PAYMENT-REQUIRED has ${String(length)} characters; many proxies accept at most 8 KB of headers.`,
  );
}

/** Returns the elements of a comma-separated header in lower case. Combines all header fields with that name. */
function parseListHeader(headers: RuleInput['headers'], name: string): string[] {
  return (headers.get(name) ?? [])
    .flatMap((value) => value.slice(0, MAX_LIST_HEADER_CHARS).toLowerCase().split(','))
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
