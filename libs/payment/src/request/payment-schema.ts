import { MAX_SIGNATURE_BYTES } from '@touchstone/contract';
import { findNetwork, toCaip2 } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';

/** Creates the schema of a string. In an error message, the expectation follows the words "must be". */
function createTextSchema(pattern: RegExp, expectation: string) {
  const error = `must be ${expectation}`;
  return z.string({ error }).regex(pattern, { error });
}

const createHexSchema = (bytes: number) =>
  createTextSchema(
    new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`),
    `${bytes} bytes in hex, such as 0x${'5a'.repeat(bytes)}`,
  );
const uintSchema = createTextSchema(/^\d{1,78}$/, 'a string of 1 to 78 decimal digits, such as "5000"');

/** Signed members of an EIP-3009 authorization, as the client sent them. */
export const signedSchema = z.strictObject(
  {
    from: createHexSchema(20),
    to: createHexSchema(20),
    value: uintSchema,
    validAfter: uintSchema,
    validBefore: uintSchema,
    nonce: createHexSchema(32),
  },
  { error: 'must be an object with from, to, value, validAfter, validBefore and nonce' },
);

/** Signature in hex. The length varies, because contract wallets sign with more than 65 bytes. */
export const signatureSchema = createTextSchema(
  new RegExp(`^0x(?:[0-9a-fA-F]{2}){1,${MAX_SIGNATURE_BYTES}}$`),
  `1 to ${MAX_SIGNATURE_BYTES} bytes in hex, such as 0x5a5a`,
);

/**
 * Payload of an EIP-3009 payment. Other members are refused. With a second kind of authorization, the SDK would settle
 * the second authorization, although its nonce was not checked.
 */
export const exactSchema = z.strictObject(
  { signature: signatureSchema, authorization: signedSchema },
  { error: 'must be an object with signature and authorization' },
);

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const createIssue = (path: Path, expectation: string): Issue => ({
  code: 'custom',
  path: [...path],
  message: `must be ${expectation}`,
  input: undefined,
});

/** Returns one issue for each unknown member, so that each error names the path of one member. */
const splitIssue = (issue: Issue): readonly Issue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((name) => createIssue([...issue.path, name], 'left out'))
    : [issue];

/** Lists the issues of the member `payload`, with paths from the whole payment. */
export function findPayloadIssues(payload: unknown): readonly Issue[] {
  return (exactSchema.safeParse(payload).error?.issues ?? [])
    .flatMap(splitIssue)
    .map((issue) => ({ ...issue, path: ['payload', ...issue.path] }));
}

/** Describes the expected value of a member that does not match the schema of the SDK. */
function describeMember([first, second]: Path, terms: PaymentRequirements): string {
  if (first === 'x402Version') return '1 or 2';
  if (first === 'payload') return 'an object with signature and authorization';
  if (first === 'extensions') return 'an object';
  if (first === 'accepted' && second !== undefined) {
    const { scheme, network, amount, asset, payTo, maxTimeoutSeconds } = terms;
    const values = new Map<PropertyKey, string | number>(
      Object.entries({ scheme, network, amount, asset, payTo, maxTimeoutSeconds }),
    );
    const value = values.get(second);
    if (value !== undefined) return `${JSON.stringify(value)}, as in the challenge`;
  }
  return 'the value of the challenge';
}

/**
 * Converts the issues of the SDK's schema. The texts of the SDK are replaced, because they do not name the expected
 * value.
 */
export function toShapeIssues(
  issues: readonly { readonly path: readonly (string | number)[] }[],
  terms: PaymentRequirements,
): readonly Issue[] {
  const paths = new Map(issues.map(({ path }) => [JSON.stringify(path), path]));
  return [...paths.values()].map((path) => createIssue(path, describeMember(path, terms)));
}

const agreementSchema = z.object({
  x402Version: z.unknown().optional(),
  scheme: z.unknown().optional(),
  // Version 1 has names of networks in place of CAIP-2 ids.
  network: z.union([z.string().transform(toCaip2), z.unknown()]).optional(),
  resource: z.object({ url: z.string() }).optional().catch(undefined),
});

/**
 * Lists the members that contradict the offer of the route. A payment of version 1, and a payment of version 2 without
 * `accepted`, has the members `scheme` and `network` directly in the payment.
 *
 * @param baseUrl public origin of the service
 */
export function findPaymentContradictions(
  payment: object,
  terms: PaymentRequirements,
  baseUrl: string,
): readonly Issue[] {
  const { resource, x402Version, ...named } = agreementSchema.parse(payment);
  const v1Name = x402Version === 1 ? findNetwork(terms.network)?.v1Name : undefined;
  const written = { scheme: terms.scheme, network: v1Name ?? terms.network };
  const contradictions = (['scheme', 'network'] as const)
    .filter((name) => (named[name] ?? terms[name]) !== terms[name])
    .map((name) => createIssue([name], `${JSON.stringify(written[name])}, as in the challenge`));
  const { origin } = new URL(baseUrl);
  if (resource === undefined || URL.parse(resource.url, baseUrl)?.origin === origin) return contradictions;
  return [...contradictions, createIssue(['resource', 'url'], `a URL of ${origin}`)];
}
