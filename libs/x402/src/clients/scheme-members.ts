import { isBase58Address, isEvmAddress, verifyChecksum } from '../networks/address.ts';
import { readMember } from '../json/untrusted-json.ts';
import { getNamespace } from '../networks/networks.ts';
import type { Entry } from '../challenge/envelope.ts';

const ZERO_ADDRESS = /^0x0{40}$/;

/** Returns true for an EVM address that viem accepts without conversion: in lower case, or with a valid checksum. */
export function isStrictEvmAddress(value: unknown): boolean {
  return isEvmAddress(value) && (value === value.toLowerCase() || verifyChecksum(value) === 'valid');
}

function isReceiver(value: unknown): boolean {
  return isEvmAddress(value) && !ZERO_ADDRESS.test(value);
}

/** Returns a check for whole numbers that fit into the given number of bits. */
function isUint(bits: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits;
}

type Requirement = readonly [name: string, isUsable: (value: unknown) => boolean];

/**
 * Members of `extra` without which the client of a scheme throws, by CAIP-2 namespace and scheme. The scheme `exact` is
 * not included. Source: @x402/evm 2.27, `createUptoPermit2Payload`, `buildChannelConfig` of batch-settlement,
 * `AuthCaptureEvmScheme`; @x402/svm 2.27, `resolveUptoSvmPaymentChannelConfig`.
 */
const REQUIREMENTS: ReadonlyMap<string, readonly Requirement[]> = new Map<string, readonly Requirement[]>([
  ['eip155:upto', [['facilitatorAddress', isEvmAddress]]],
  ['eip155:batch-settlement', [['receiverAuthorizer', isReceiver]]],
  [
    'eip155:auth-capture',
    [
      ['captureAuthorizer', isStrictEvmAddress],
      ['feeRecipient', isStrictEvmAddress],
      ['captureDeadline', isUint(48)],
      ['refundDeadline', isUint(48)],
      ['minFeeBps', isUint(16)],
      ['maxFeeBps', isUint(16)],
    ],
  ],
  [
    'solana:upto',
    [
      ['feePayer', isBase58Address],
      ['receiverAuthorizer', isBase58Address],
      ['withdrawDelay', (value) => value !== 0 && isUint(32)(value)],
    ],
  ],
]);

/**
 * Returns the names of the members of `extra` without which not even clients of the option's scheme can pay; undefined
 * for a scheme without such members.
 */
export function listMissingSchemeMembers({
  scheme,
  network,
  extra,
}: Pick<Entry, 'scheme' | 'network' | 'extra'>): readonly string[] | undefined {
  if (typeof scheme !== 'string' || typeof network !== 'string') return undefined;
  const requirements = REQUIREMENTS.get(`${getNamespace(network)}:${scheme}`);
  if (requirements === undefined) return undefined;
  return requirements.flatMap(([name, isUsable]) => (isUsable(readMember(extra, name)) ? [] : [name]));
}
