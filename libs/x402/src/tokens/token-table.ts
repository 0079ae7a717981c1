import type { NetworkId } from '../networks/networks.ts';

/** A known dollar token on one network. */
export interface Token {
  readonly network: NetworkId;
  /** Contract address, mint or asset id, as the issuer writes it. */
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  /** EIP-712 domain for signing transfers of the token; null on networks other than EVM. */
  readonly domain: { readonly name: string; readonly version: string } | null;
  /** True for the canonical USDC of the network, the only token there that may be called USDC. */
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

type Row = readonly [network: NetworkId, asset: string, symbol: string, name: string, version: string];

/** USDC issued by Circle, with six decimals. Source: default assets of @x402/evm 2.x. */
const NATIVE_USDC: readonly Row[] = [
  ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 'USD Coin', '2'],
  ['eip155:50', '0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1', 'USDC', 'USDC', '2'],
  ['eip155:51', '0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4', 'USDC', 'USDC', '2'],
  ['eip155:137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USDC', 'USD Coin', '2'],
  ['eip155:143', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 'USDC', 'USDC', '2'],
  ['eip155:1328', '0x4fCF1784B31630811181f670Aea7A7bEF803eaED', 'USDC', 'USDC', '2'],
  ['eip155:1329', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392', 'USDC', 'USDC', '2'],
  ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC', 'USD Coin', '2'],
  ['eip155:42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 'USD Coin', '2'],
  ['eip155:42220', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C', 'USDC', 'USDC', '2'],
  ['eip155:43114', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USDC', 'USD Coin', '2'],
  ['eip155:84532', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC', 'USDC', '2'],
  ['eip155:421614', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USDC', 'USD Coin', '2'],
  ['eip155:11142220', '0x01C5C0122039549AD1493B8220cABEdD739BC44E', 'USDC', 'USDC', '2'],
];

/** Bridged USDC, with six decimals. Source: default assets of @x402/evm 2.x. */
const BRIDGED_USDC: readonly Row[] = [
  ['eip155:36900', '0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2', 'USDC.e', 'USDC.e', '2'],
  ['eip155:38833', '0xA5b8BF902b2844dA17d4506cc827F7F1681735E7', 'USDC', 'USDC', '1'],
  ['eip155:181228', '0x401eCb1D350407f13ba348573E5630B83638E30D', 'USDC.e', 'Bridged USDC', '2'],
  ['eip155:190415', '0x401eCb1D350407f13ba348573E5630B83638E30D', 'USDC.e', 'Bridged USDC', '2'],
];

/** USDC issued by Circle on networks for which only the version 1 client has a default asset. Source: x402 1.2. */
const V1_NATIVE_USDC: readonly Row[] = [
  ['eip155:43113', '0x5425890298aed601595a70AB815c96711a31Bc65', 'USDC', 'USD Coin', '2'],
  ['eip155:80002', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', 'USDC', 'USDC', '2'],
];

/** Bridged USDC on networks for which only the version 1 client has a default asset. Source: x402 1.2. */
const V1_BRIDGED_USDC: readonly Row[] = [
  ['eip155:1514', '0xF1815bd50389c46847f0Bda824eC8da914045D14', 'USDC', 'Bridged USDC', '2'],
  ['eip155:2741', '0x84A71ccD554Cc1b02749b35d22F684CC8ec987e1', 'USDC', 'Bridged USDC', '2'],
  ['eip155:3338', '0xbbA60da06c2c5424f03f7434542280FCAd453d10', 'USDC', 'USDC', '2'],
  ['eip155:4689', '0xcdf79194c6c285077a58da47641d4dbe51f63542', 'USDC', 'Bridged USDC', '2'],
  ['eip155:11124', '0xe4C7fBB0a626ed208021ccabA6Be1566905E2dFc', 'USDC', 'Bridged USDC', '2'],
  ['eip155:41923', '0x12a272A581feE5577A5dFa371afEB4b2F3a8C2F8', 'USDC', 'Bridged USDC (Stargate)', '2'],
  [
    'eip155:324705682',
    '0x2e08028E3C4c2356572E096d8EF835cD5C6030bD',
    'USDC',
    'Bridged USDC (SKALE Bridge)',
    '2',
  ],
];

/** Other default tokens of the version 2 client, with six decimals. Source: default assets of @x402/evm 2.x. */
const OTHER_DOLLARS: readonly Row[] = [
  ['eip155:14', '0xe7cd86e13AC4309349F30B3435a9d337750fC82D', 'USDT0', 'USD₮0', '1'],
  ['eip155:988', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', 'USDT0', 'USDT0', '1'],
  ['eip155:2201', '0x78Cf24370174180738C5B8E352B6D14c83a6c9A9', 'USDT0', 'USDT0', '1'],
  ['eip155:42220', '0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e', 'USDT', 'Tether USD', '1'],
  ['eip155:42220', '0xD2ab3C9A02DBBAB236BfEC45D1d755DF4267F771', 'USAT', 'Tether America USD', '1'],
  ['eip155:72344', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb', 'SBC', 'Stable Coin', '1'],
  ['eip155:723487', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb', 'SBC', 'Stable Coin', '1'],
];

/** Other default tokens of the version 2 client, with eighteen decimals. Source: default assets of @x402/evm 2.x. */
const OTHER_DOLLARS_18_DECIMALS: readonly Row[] = [
  ['eip155:4326', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', 'MegaUSD', 'MegaUSD', '1'],
  ['eip155:31611', '0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503', 'mUSD', 'Mezo USD', '1'],
  ['eip155:31612', '0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186', 'mUSD', 'Mezo USD', '1'],
];

/**
 * Tokens that sellers use, although no reference client lists them. Their EIP-712 domain was checked against the domain
 * separator of the contract.
 */
const UNLISTED_DOLLARS: readonly Row[] = [
  ['eip155:196', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', 'USDT0', 'USD₮0', '1'],
];

/** Networks whose tokens in this file accept no EIP-3009 authorizations. Source: default assets of @x402/evm 2.x. */
const PERMIT2_NETWORKS = new Set<NetworkId>([
  'eip155:4326',
  'eip155:31611',
  'eip155:31612',
  'eip155:38833',
  'eip155:72344',
  'eip155:723487',
]);

const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';
const SOLANA_TESTNET = 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z';

type NonEvmRow = readonly [network: NetworkId, asset: string, symbol: string, decimals: number];

/** Dollar tokens on networks other than EVM. Source: default assets of @x402/svm, @x402/avm and @x402/stellar 2.x. */
const NON_EVM_DOLLARS: readonly NonEvmRow[] = [
  [SOLANA_MAINNET, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6],
  [SOLANA_MAINNET, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 6],
  [SOLANA_MAINNET, '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', 'USDG', 6],
  [SOLANA_MAINNET, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD', 6],
  [SOLANA_MAINNET, 'CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH', 'CASH', 6],
  [SOLANA_DEVNET, '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'USDC', 6],
  [SOLANA_DEVNET, '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7', 'USDG', 6],
  [SOLANA_DEVNET, 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM', 'PYUSD', 6],
  [SOLANA_TESTNET, '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'USDC', 6],
  [SOLANA_TESTNET, '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7', 'USDG', 6],
  [SOLANA_TESTNET, 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM', 'PYUSD', 6],
  ['algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', '31566704', 'USDC', 6],
  ['algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe', '10458941', 'USDC', 6],
  ['stellar:pubnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 'USDC', 7],
  ['stellar:testnet', 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA', 'USDC', 7],
];

/** Properties that are the same for all tokens of one list. */
interface TokenTraits {
  readonly isCanonicalUsdc: boolean;
  readonly isClientDefault: boolean;
  readonly hasUniqueAddress: boolean;
  readonly decimals: number;
}

function toEvmTokens(rows: readonly Row[], traits: TokenTraits): Token[] {
  return rows.map(([network, asset, symbol, name, version]) => {
    const isPermit2Only = PERMIT2_NETWORKS.has(network);
    return { network, asset, symbol, domain: { name, version }, isPermit2Only, ...traits };
  });
}

const USDC_TRAITS: TokenTraits = {
  isCanonicalUsdc: true,
  isClientDefault: true,
  hasUniqueAddress: true,
  decimals: 6,
};
const DOLLAR_TRAITS: TokenTraits = {
  isCanonicalUsdc: false,
  isClientDefault: true,
  hasUniqueAddress: false,
  decimals: 6,
};

/** Every dollar token known to this project. */
export const TOKENS: readonly Token[] = [
  ...toEvmTokens(NATIVE_USDC, USDC_TRAITS),
  ...toEvmTokens(BRIDGED_USDC, { ...USDC_TRAITS, hasUniqueAddress: false }),
  ...toEvmTokens(V1_NATIVE_USDC, { ...USDC_TRAITS, isClientDefault: false }),
  ...toEvmTokens(V1_BRIDGED_USDC, { ...USDC_TRAITS, isClientDefault: false, hasUniqueAddress: false }),
  ...toEvmTokens(OTHER_DOLLARS, DOLLAR_TRAITS),
  ...toEvmTokens(OTHER_DOLLARS_18_DECIMALS, { ...DOLLAR_TRAITS, decimals: 18 }),
  ...toEvmTokens(UNLISTED_DOLLARS, { ...DOLLAR_TRAITS, isClientDefault: false }),
  ...NON_EVM_DOLLARS.map(([network, asset, symbol, decimals]): Token => ({
    network,
    asset,
    symbol,
    decimals,
    domain: null,
    isCanonicalUsdc: symbol === 'USDC',
    isClientDefault: true,
    // Algorand networks number their assets independently, so one id may exist on several networks.
    hasUniqueAddress: network.startsWith('solana:'),
    isPermit2Only: false,
  })),
];
