import { z } from 'zod';
import type { BodyReading } from './read-header.ts';
import type { Dialect } from './types.ts';

/** Challenges of `WWW-Authenticate` by their scheme. Sources: MPP drafts; bLIP-0026 (L402) and its forerunner LSAT. */
const SCHEMES: readonly (readonly [scheme: RegExp, dialect: Dialect])[] = [
  [/(^|,)\s*payment\s/i, 'mpp'],
  [/(^|,)\s*(l402|lsat)\s/i, 'l402'],
  [/(^|,)\s*x402\s/i, 'x402-authenticate'],
];

const PaymentOptions = z.object({ payment_options: z.array(z.unknown()).nonempty() });

/**
 * The ways to ask for payment other than x402 that an answer shows.
 *
 * @param headers values by lower-case name
 * @param body as read
 */
export function findDialects(headers: ReadonlyMap<string, readonly string[]>, body: BodyReading): Dialect[] {
  const authenticate = headers.get('www-authenticate') ?? [];
  const found = SCHEMES.filter(([scheme]) => authenticate.some((value) => scheme.test(value)));
  return [
    ...found.map(([, dialect]) => dialect),
    ...([...headers.keys()].some((name) => name.startsWith('x-402-')) ? (['x-402-headers'] as const) : []),
    ...(body.state === 'read' && PaymentOptions.safeParse(body.json).success
      ? (['payment-options-body'] as const)
      : []),
  ];
}
