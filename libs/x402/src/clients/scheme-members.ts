import { isEvmAddress } from '../networks/address.ts';
import { readMember } from '../json/untrusted-json.ts';

const ZERO_ADDRESS = /^0x0{40}$/;

function isGiven(value: unknown): boolean {
  return Boolean(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isReceiver(value: unknown): boolean {
  return isEvmAddress(value) && !ZERO_ADDRESS.test(value);
}

type Requirement = readonly [name: string, isUsable: (value: unknown) => boolean];

/**
 * Members of `extra` without which the client of a scheme throws, by scheme. The scheme `exact` is not included.
 * Source: @x402/evm 2.27, `createUptoPermit2Payload`, `buildChannelConfig` of batch-settlement, `AuthCaptureEvmScheme`.
 */
const REQUIREMENTS: ReadonlyMap<unknown, readonly Requirement[]> = new Map<unknown, readonly Requirement[]>([
  ['upto', [['facilitatorAddress', isEvmAddress]]],
  ['batch-settlement', [['receiverAuthorizer', isReceiver]]],
  [
    'auth-capture',
    [
      ['captureAuthorizer', isGiven],
      ['feeRecipient', isGiven],
      ['captureDeadline', isNumber],
      ['refundDeadline', isNumber],
      ['minFeeBps', isNumber],
      ['maxFeeBps', isNumber],
    ],
  ],
]);

/** Scheme and `extra` of a payment option on an EVM network. The values are not validated. */
interface SchemeMembers {
  readonly scheme?: unknown;
  readonly extra?: unknown;
}

/**
 * Returns the name of the first member of `extra` without which not even clients of the option's scheme can pay; null
 * when there is none, and undefined for a scheme without such members.
 */
export function findMissingSchemeMember({ scheme, extra }: SchemeMembers): string | null | undefined {
  const requirements = REQUIREMENTS.get(scheme);
  if (requirements === undefined) return undefined;
  return requirements.find(([name, isUsable]) => !isUsable(readMember(extra, name)))?.[0] ?? null;
}
