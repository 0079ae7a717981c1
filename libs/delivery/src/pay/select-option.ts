import { findCanonicalUsdc, MAX_TIMEOUT_SECONDS, normalizeAddress, type Challenge } from '@touchstone/x402';

type Option = Challenge['options'][number];

/** Payment option that a test purchase may use. The token is the canonical USDC of the network. */
export interface PayableOption {
  /** CAIP-2 id. */
  readonly network: string;
  /** Addresses are in lower case. */
  readonly asset: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Decimal text. */
  readonly amountUsd: string;
}

/** Payment option of the latest probe. `amount` is in atomic units. */
export interface ObservedOption {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string | null;
}

/**
 * Selects the cheapest payment option of a challenge that a test purchase may use: scheme `exact` with an EIP-3009
 * authorization, in the canonical USDC of one of the networks, with a recipient and a price that the latest probe
 * observed, too.
 *
 * @param networks CAIP-2 ids of the networks on which the wallet can pay
 * @returns null without such an option, and if no reference client could pay the challenge
 */
export function selectOption(
  { options, settles }: Pick<Challenge, 'options' | 'settles'>,
  {
    networks,
    observed,
  }: { readonly networks: readonly string[]; readonly observed: readonly ObservedOption[] },
): PayableOption | null {
  if (!settles.v1 && !settles.v2) return null;
  const payable = options.flatMap((option) => {
    if (!networks.includes(option.network)) return [];
    const found = toPayableOption(option);
    return found !== null && observed.some((known) => isSameOption(known, found)) ? [found] : [];
  });
  return payable.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))[0] ?? null;
}

function toPayableOption(option: Option): PayableOption | null {
  const { network, amount, amountUsd, maxTimeoutSeconds } = option;
  const usdc = findCanonicalUsdc(network);
  if (option.scheme !== 'exact' || !isAuthorization(option) || usdc === null || option.falseUsdc) return null;
  if (amount === null || amountUsd === null || amount <= 0n) return null;
  // A payment of a longer validity would block its part of the budget for as long.
  if (maxTimeoutSeconds === null || maxTimeoutSeconds < 1 || maxTimeoutSeconds > MAX_TIMEOUT_SECONDS)
    return null;
  const asset = normalizeAddress(network, option.asset);
  if (!network.startsWith('eip155:') || asset !== normalizeAddress(network, usdc.asset)) return null;
  return { network, asset, payTo: normalizeAddress(network, option.payTo), amount, amountUsd };
}

/** Returns true for a payment by an EIP-3009 authorization, which allows one transfer of the price. */
function isAuthorization({ extra }: Option): boolean {
  const { assetTransferMethod = 'eip3009', paymentFlow = 'authorization' } = Object(extra) as Record<
    string,
    unknown
  >;
  return assetTransferMethod === 'eip3009' && paymentFlow === 'authorization';
}

function isSameOption(known: ObservedOption, { network, asset, payTo, amount }: PayableOption): boolean {
  return (
    known.network === network &&
    known.amount === String(amount) &&
    normalizeAddress(network, known.asset) === asset &&
    normalizeAddress(network, known.payTo) === payTo
  );
}
