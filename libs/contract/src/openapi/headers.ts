import { PAYMENT_REQUIRED_EXAMPLE } from '../examples/payment-required.ts';
import type { JsonSchema } from '../json-schema.ts';
import { RATE_POLICIES, type RatePolicy } from '../rate-policies.ts';

/** Base64 of JSON, as the headers of the protocol are. The JSON here is ASCII. */
function encoded(value: unknown): string {
  return btoa(JSON.stringify(value));
}

const json = { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/json' };

function policyHeader({ name, limit, windowSeconds }: RatePolicy): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}

function listOfPolicies(): string {
  return Object.values(RATE_POLICIES)
    .map((policy) => `\`${policyHeader(policy)}\``)
    .join(', ');
}

const RECEIPT = {
  success: true,
  transaction: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  network: 'eip155:8453',
  payer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
};

/** The headers of answers, by their name. */
export const HEADERS = {
  Allow: {
    description: 'The methods that the path knows.',
    schema: { type: 'string' },
    example: 'POST, OPTIONS',
  },
  ETag: {
    description: 'The version of the document; `If-None-Match` with it asks for another one alone.',
    schema: { type: 'string' },
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeR"',
  },
  'PAYMENT-REQUIRED': {
    description: 'The challenge, base64 of the JSON that is in the body too.',
    schema: json,
    example: encoded(PAYMENT_REQUIRED_EXAMPLE),
  },
  'PAYMENT-RESPONSE': {
    description: 'The receipt, base64 of JSON: whether the payment was settled, and by which transaction.',
    schema: json,
    example: encoded(RECEIPT),
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
  RateLimit: {
    description: 'What is left of each quota, and the seconds until it is whole again.',
    schema: { type: 'string' },
    example: `"${RATE_POLICIES.free.name}";r=0;t=30`,
  },
  'RateLimit-Policy': {
    description: `The quotas, and the seconds they are for: ${listOfPolicies()}.`,
    schema: { type: 'string' },
    example: policyHeader(RATE_POLICIES.free),
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

type HeaderName = keyof typeof HEADERS;

export function headerRefs(
  names: readonly HeaderName[],
): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
