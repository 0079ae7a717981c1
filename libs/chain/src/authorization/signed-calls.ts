import {
  decodeAbiParameters,
  decodeFunctionData,
  type DecodeFunctionDataReturnType,
  encodeAbiParameters,
  hashTypedData,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';

/** Permit2 of Uniswap, which has the same address on every EVM network. */
export const PERMIT2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';
/** Contract of the scheme `batch-settlement`, which holds the deposits of all channels. */
export const BATCH_SETTLEMENT: Hex = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003';
/** Contract that receives a deposit by EIP-3009 for `BATCH_SETTLEMENT`. */
export const AUTHORIZATION_COLLECTOR: Hex = '0x4020806089470a89826cb9fb1f4059150b550004';
/** Contract that takes a deposit by Permit2 for `BATCH_SETTLEMENT`. */
export const PERMIT2_COLLECTOR: Hex = '0x4020425faf3b746c082c2f942b4e5159887b0005';
/** Contracts that take payments by Permit2: of the schemes `exact` and `upto`. */
export const PROXIES: readonly Hex[] = [
  '0x402085c248eea27d92e8b30b2c58ed07f9e20001',
  '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002',
];

// Source of the addresses and calls: `@x402/evm`.
const CALLS = parseAbi([
  'struct Token { address token; uint256 amount; }',
  'struct Permit { Token permitted; uint256 nonce; uint256 deadline; }',
  'struct Approval { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct UptoWitness { address to; address facilitator; uint256 validAfter; }',
  'struct Channel { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function settle(Permit permit, uint256 amount, address owner, UptoWitness witness, bytes signature)',
  'function settleWithPermit(Approval approval, Permit permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Approval approval, Permit permit, uint256 amount, address owner, UptoWitness witness, bytes signature)',
  'function deposit(Channel channel, uint128 amount, address collector, bytes data)',
]);
const SELECTORS = CALLS.map((call) => toFunctionSelector(call).slice(2));
const AUTHORIZATION_DATA = parseAbiParameters('uint256 validAfter, uint256 validBefore, uint256 salt, bytes');
const PERMIT2_DATA = parseAbiParameters('uint256 nonce, uint256 deadline, bytes, bytes');
const NONCE_PARAMETERS = parseAbiParameters('bytes32 channelId, uint256 salt');
const CHANNEL_TYPES = {
  ChannelConfig: [
    { name: 'payer', type: 'address' },
    { name: 'payerAuthorizer', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'receiverAuthorizer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'withdrawDelay', type: 'uint40' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const;

/** Maximum number of calls that are decoded in one transaction. */
const MAX_CALLS = 300;
/** Maximum size of one call, in hexadecimal digits. A signature of a contract wallet can have some kilobytes. */
const MAX_CALL_LENGTH = 40_000;

/** Call in the data of a transaction that takes a payment by a signature other than EIP-3009, or a deposit. */
export interface SignedCall {
  readonly kind: 'permit2' | 'deposit';
  /** Decimal digits (Permit2), or 32 bytes (EIP-3009). */
  readonly nonce: string;
  readonly payer: Hex;
  /** For a deposit, the receiver of the channel. */
  readonly payTo: Hex;
  readonly asset: Hex;
  /** Atomic units; with the scheme `upto`, the amount that was taken. */
  readonly amount: bigint;
}

// The cast is safe: the values are addresses.
const toLower = (address: Hex): Hex => address.toLowerCase() as Hex;

type Decoded = DecodeFunctionDataReturnType<typeof CALLS>;
type Deposit = Extract<Decoded, { functionName: 'deposit' }>['args'];
type Permit = Extract<Decoded, { functionName: 'settle' }>['args'][0];

/** Returns the nonce of a deposit by EIP-3009, which commits to the channel. */
function toDepositNonce(channel: Deposit[0], salt: bigint, chainId: number): Hex {
  const channelId = hashTypedData({
    domain: { name: 'x402 Batch Settlement', version: '1', chainId, verifyingContract: BATCH_SETTLEMENT },
    types: CHANNEL_TYPES,
    primaryType: 'ChannelConfig',
    message: channel,
  });
  return keccak256(encodeAbiParameters(NONCE_PARAMETERS, [channelId, salt]));
}

/** Returns a deposit; null for an unknown collector, whose data has an unknown format. */
function toDeposit([channel, amount, to, data]: Deposit, chainId: number): SignedCall | null {
  const collector = toLower(to);
  if (collector !== AUTHORIZATION_COLLECTOR && collector !== PERMIT2_COLLECTOR) return null;
  const nonce =
    collector === AUTHORIZATION_COLLECTOR
      ? toDepositNonce(channel, decodeAbiParameters(AUTHORIZATION_DATA, data)[2], chainId)
      : String(decodeAbiParameters(PERMIT2_DATA, data)[0]);
  const [payer, payTo] = [toLower(channel.payer), toLower(channel.receiver)];
  return { kind: 'deposit', nonce, payer, payTo, asset: toLower(channel.token), amount };
}

function toPermitted(
  { permitted, nonce }: Permit,
  [owner, { to }]: readonly [Hex, { readonly to: Hex }],
  amount = permitted.amount,
): SignedCall {
  const [payer, payTo, asset] = [toLower(owner), toLower(to), toLower(permitted.token)];
  return { kind: 'permit2', nonce: String(nonce), payer, payTo, asset, amount };
}

function toSignedCall(decoded: Decoded, chainId: number): SignedCall | null {
  if (decoded.functionName === 'deposit') return toDeposit(decoded.args, chainId);
  // The scheme `upto` has the taken amount as a further argument.
  if (decoded.functionName === 'settle') {
    const { args } = decoded;
    return args.length === 4
      ? toPermitted(args[0], [args[1], args[2]])
      : toPermitted(args[0], [args[2], args[3]], args[1]);
  }
  const { args } = decoded;
  return args.length === 5
    ? toPermitted(args[1], [args[2], args[3]])
    : toPermitted(args[1], [args[3], args[4]], args[2]);
}

function decodeCall(data: Hex, chainId: number): SignedCall | null {
  try {
    return toSignedCall(decodeFunctionData({ abi: CALLS, data }), chainId);
  } catch {
    // The data of a transaction can contain the digits of a selector by chance.
    return null;
  }
}

/**
 * Lists the calls of x402 contracts in the data of a transaction. A facilitator may wrap calls in another call, so every
 * position is tried. The data proves nothing: it may contain calls that were not made.
 */
export function listSignedCalls(input: Hex, chainId: number): SignedCall[] {
  const calls: SignedCall[] = [];
  let attempts = 0;
  for (const selector of SELECTORS) {
    for (let at = input.indexOf(selector); at >= 0; at = input.indexOf(selector, at + 1)) {
      if (at % 2 !== 0) continue;
      attempts += 1;
      if (attempts > MAX_CALLS) return calls;
      const call = decodeCall(`0x${input.slice(at, at + MAX_CALL_LENGTH)}`, chainId);
      if (call !== null) calls.push(call);
    }
  }
  return calls;
}
