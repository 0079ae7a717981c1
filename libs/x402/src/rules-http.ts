import { expect, type Outcome, type Rule, type Subject } from './rule.ts';

const NGINX_BUFFER_BYTES = 8_192;
const NODE_HEADER_BYTES = 16_384;

function checkCacheControl({ headers, v2 }: Subject): Outcome {
  const directives = (headers.get('cache-control') ?? []).join(',').toLowerCase();
  if (directives === '') {
    // No cache keeps a 402 unless it is told to (RFC 9111, 3), so silence is a fault only in a
    // version 2 server, whose reference implementation always says no-store.
    return v2 === null
      ? 'skip'
      : { message: 'The answer has no Cache-Control; send no-store with every challenge.' };
  }
  if (/(^|[\s,])(no-store|private)($|[\s,;=])/.test(directives)) return 'pass';
  const shared =
    /(^|[\s,])public($|[\s,])/.test(directives) || /(^|[\s,])(s-maxage|max-age)=0*[1-9]/.test(directives);
  return shared
    ? {
        message: 'Caches may keep this challenge and show it to other buyers; send no-store.',
        severity: 'error',
      }
    : { message: 'Cache-Control neither says no-store nor private; send no-store with every challenge.' };
}

function checkChallengeSize({ header }: Subject): Outcome {
  if (header.state === 'absent') return 'skip';
  if (header.length <= NGINX_BUFFER_BYTES) return 'pass';
  return header.length <= NODE_HEADER_BYTES
    ? { message: 'PAYMENT-REQUIRED is longer than 8 KB, the buffer many proxies have for headers.' }
    : {
        message:
          'PAYMENT-REQUIRED is longer than 16 KB, all that Node clients accept as headers; shorten it.',
        severity: 'error',
        axis: 'payable',
      };
}

/** Rules on the answer as a whole. Sources: x402 v1 and v2 HTTP transports, RFC 9111. */
export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http-status-402',
    axis: 'payable',
    severity: 'error',
    holds: 'An unpaid request is answered with status 402.',
    check: ({ status }) =>
      expect(status === 402, `The answer has status ${String(status)}; an unpaid request must get 402.`),
  },
  {
    id: 'envelope-present',
    axis: 'payable',
    severity: 'error',
    holds: 'The answer carries an envelope: version 2 in the header or version 1 in the body.',
    check: ({ header, v1 }) =>
      expect(
        (header.state === 'read' && header.envelope.version !== null) || v1 !== null,
        'No envelope was found, neither of version 2 in the PAYMENT-REQUIRED header nor of version 1 in the body.',
      ),
  },
  {
    id: 'http-cache-control',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Caches are told not to keep the challenge.',
    check: checkCacheControl,
  },
  {
    id: 'http-challenge-size',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'The challenge fits the header buffers of common proxies and clients.',
    check: checkChallengeSize,
  },
];
