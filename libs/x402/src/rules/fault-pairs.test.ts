import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  EURC,
  SCHEME_OPTIONS,
  SEPOLIA,
  SOLANA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Offer,
  v2Option,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';

/** Change of one member of a payment option; undefined removes the member. */
type Fault = readonly [member: string, value: unknown];

function change(member: string, ...values: readonly unknown[]): Fault[] {
  return values.map((value) => [member, value]);
}

const SCHEME = change('scheme', undefined, '', 7, 'Exact');
const COMMON = [
  ...change('network', undefined, 'nowhere'),
  ...change('asset', undefined, '', 'USDC'),
  ...change('payTo', undefined, '', 'merchant', `0x${'0'.repeat(40)}`),
  ...change('maxTimeoutSeconds', undefined, 0, '60'),
];
const EVM = [
  ...change('network', 'Base'),
  ...change('extra', undefined, {}, { name: 'USD Coin' }, { name: 'USD Coin', version: '1' }),
  ...change('asset', SEPOLIA.asset),
];
const SVM = [...change('network', 'Solana'), ...change('extra', undefined, {}, { feePayer: 'x' })];
const V2 = change('amount', undefined, 5, '0.5', '$1');
const V2_EVM = [...EVM, ...change('network', 'base', 'eip155:base'), ...change('asset', EURC)];
const V1 = [
  ...change('scheme', 'upto', 'deferred'),
  ...change('maxAmountRequired', undefined, 5, '0.5'),
  ...change('resource', undefined, '/v1/weather'),
  ...[change('description', undefined), change('mimeType', undefined), change('outputSchema', null)].flat(),
];

function toV2(option: JsonObject): ChallengeResponse {
  return v2Offer(Object.fromEntries(Object.keys(v2Option()).map((key) => [key, option[key]])));
}

function toV1(option: JsonObject): ChallengeResponse {
  return v1Response(v1Envelope({ accepts: [option] }));
}

/** Returns the ids of the rules that fail with severity `error`. */
function readErrors(response: ChallengeResponse): Set<string> {
  const { checks } = readChallenge(response);
  const errors = checks.filter(({ result, severity }) => result === 'fail' && severity === 'error');
  return new Set(errors.map(({ id }) => id));
}

/** Rules that report a network that cannot be identified. Its tokens are not known. */
const UNKNOWN_NETWORK_RULES = ['v2-network-caip2', 'v1-network-enum'];
/** Tokens that are right on another network, or with another name. */
const WRONG_TOKENS = new Set<unknown>([SEPOLIA.asset, EURC]);
/** Rules that report the EIP-712 domain of an option. One of them is enough. */
const DOMAIN_RULES = new Set(['v2-asset-usdc', 'v2-eip712-domain-value', 'v2-eip712-domain']);

function isReported(id: string, [, value]: Fault, errors: ReadonlySet<string>): boolean {
  if (errors.has(id)) return true;
  if (WRONG_TOKENS.has(value) && UNKNOWN_NETWORK_RULES.some((rule) => errors.has(rule))) return true;
  return DOMAIN_RULES.has(id) && [...DOMAIN_RULES].some((other) => errors.has(other));
}

/** Lists the errors of a single fault that a second fault, of another member, hides. */
function findHidden(
  faults: readonly Fault[],
  read: (...changed: readonly Fault[]) => ReadonlySet<string>,
): string[] {
  return faults.flatMap((fault) =>
    faults
      .filter(([member]) => member !== fault[0])
      .flatMap((other) => {
        const errors = read(fault, other);
        const hidden = [...read(fault)].filter((id) => !isReported(id, fault, errors));
        return hidden.map((id) => `${id} of ${JSON.stringify(fault)} beside ${JSON.stringify(other)}`);
      }),
  );
}

interface Example {
  readonly name: string;
  readonly option: JsonObject;
  readonly faults: readonly Fault[];
  readonly toResponse: (option: JsonObject) => ChallengeResponse;
}

test.each<Example>([
  {
    name: 'version 2',
    option: v2Option(),
    faults: [...SCHEME, ...COMMON, ...V2_EVM, ...V2],
    toResponse: toV2,
  },
  {
    name: 'version 2 on Solana',
    option: v2Option(SOLANA),
    faults: [...SCHEME, ...COMMON, ...SVM, ...V2],
    toResponse: toV2,
  },
  {
    name: 'the scheme upto',
    option: v2Option(SCHEME_OPTIONS.upto),
    faults: [...COMMON, ...V2, ...change('extra', {}), ...change('scheme', 'Upto')],
    toResponse: toV2,
  },
  { name: 'version 1', option: v1Option(), faults: [...SCHEME, ...COMMON, ...EVM, ...V1], toResponse: toV1 },
  {
    name: 'version 1 on Solana',
    option: v1Option({ ...SOLANA, network: 'solana' }),
    faults: [...SCHEME, ...COMMON, ...SVM, ...V1],
    toResponse: toV1,
  },
])('two faults of an option are reported together: $name', ({ option, faults, toResponse }) => {
  const read = (...changed: readonly Fault[]) =>
    readErrors(toResponse({ ...option, ...Object.fromEntries(changed) }));
  expect(faults.filter((fault) => read(fault).size === 0)).toEqual([]);
  expect(findHidden(faults, read)).toEqual([]);
});
