/** Properties of one network. An omitted flag is false. */
export interface Network {
  /** Name shown to people. Pages show the CAIP-2 id of a network without a name. */
  readonly name?: string;
  /** Network name in version 1 of the protocol, in lower case. */
  readonly v1Name?: string;
  /**
   * True when the last version 1 client (x402 1.2) accepts this network. That client accepts only a fixed list of
   * networks.
   */
  readonly isInV1Client?: true;
  /**
   * True when the version 1 client's table has the USDC address of this network in lower case. That client compares
   * addresses case-sensitively.
   */
  readonly isUsdcLowerCaseInV1Client?: true;
  /** True for a test network. Its tokens have no value. */
  readonly isTestnet?: true;
  /**
   * Number of later blocks that must exist before a block is read. The number covers usual reorgs. After a deeper
   * reorg, the transfers from replaced blocks are deleted. Solana needs no number, because its blocks are read when
   * they are finalized.
   */
  readonly confirmations?: number;
}

/** A known dollar token on one network. */
export interface NetworkToken {
  /** Contract address, mint or asset id, as the issuer writes it. */
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  /** EIP-712 domain for signing transfers of the token; null on networks other than EVM. */
  readonly domain: { readonly name: string; readonly version: string } | null;
  /** True for the canonical USDC of the network, the only token on the network that may be called USDC. */
  readonly isCanonicalUsdc: boolean;
  /** True when the version 2 clients pay in this token by default. Buyers must enable other tokens explicitly. */
  readonly isClientDefault: boolean;
  /**
   * True when the issuer uses this address on no other network, so the same address elsewhere is a mistake. False for
   * most bridged tokens, which often have one address on many networks.
   */
  readonly hasUniqueAddress: boolean;
  /** True when the token accepts no EIP-3009 authorizations, so payments in it need Permit2. */
  readonly isPermit2Only: boolean;
}

/** Row of the network table. At most one token is the canonical USDC of the network. */
export type NetworkRow = readonly [network: Network, ...tokens: NetworkToken[]];

/** Properties of a token that differ from the properties in `DOLLAR`. */
type Traits = Partial<NetworkToken>;

/** Traits that most dollar tokens have. */
const DOLLAR = {
  decimals: 6,
  domain: null,
  isCanonicalUsdc: false,
  isClientDefault: true,
  hasUniqueAddress: false,
  isPermit2Only: false,
} as const satisfies Traits;

/** Traits of a token that only the version 1 client has as its default. Source: x402 1.2. */
export const V1_ONLY: Traits = { isClientDefault: false };
/**
 * Traits of a token that sellers use, although no reference client lists the token. The EIP-712 domain of such a token
 * was checked against the domain separator of the contract.
 */
export const UNLISTED: Traits = { isClientDefault: false };
/** Traits of a token that accepts no EIP-3009 authorizations. Source: default assets of @x402/evm 2.x. */
export const PERMIT2: Traits = { isPermit2Only: true };
/** Traits of a token with eighteen decimals that accepts no EIP-3009 authorizations. */
export const PERMIT2_18_DECIMALS: Traits = { isPermit2Only: true, decimals: 18 };

/** Creates the USDC that Circle issues on an EVM network. */
export function createUsdc(asset: string, domainName: string, traits: Traits = {}): NetworkToken {
  return createBridgedUsdc(asset, domainName, { hasUniqueAddress: true, ...traits });
}

/** Creates the USDC that a bridge issues on an EVM network. */
export function createBridgedUsdc(asset: string, domainName: string, traits: Traits = {}): NetworkToken {
  const domain = { name: domainName, version: '2' };
  return { ...DOLLAR, symbol: 'USDC', asset, domain, isCanonicalUsdc: true, ...traits };
}

/** Creates a dollar token other than USDC on an EVM network. */
export function createDollar(
  [symbol, domainName, asset]: readonly [symbol: string, domainName: string, asset: string],
  traits: Traits = {},
): NetworkToken {
  return { ...DOLLAR, symbol, asset, domain: { name: domainName, version: '1' }, ...traits };
}

/** Creates a dollar token on Solana. */
export function createMint(symbol: string, asset: string): NetworkToken {
  return { ...DOLLAR, symbol, asset, isCanonicalUsdc: symbol === 'USDC', hasUniqueAddress: true };
}

/** Creates the USDC of a network whose accounts are neither EVM nor Solana addresses. */
export function createOtherUsdc(asset: string, decimals: number): NetworkToken {
  // Algorand networks number their assets independently, so one id may exist on several networks.
  return { ...DOLLAR, symbol: 'USDC', asset, decimals, isCanonicalUsdc: true, hasUniqueAddress: false };
}
