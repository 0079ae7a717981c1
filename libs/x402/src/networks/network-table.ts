import {
  createBridgedUsdc,
  createDollar,
  createMint,
  createUsdc,
  createOtherUsdc,
  PERMIT2,
  PERMIT2_18_DECIMALS,
  UNLISTED,
  V1_ONLY,
  type NetworkRow,
} from './network-row.ts';

/**
 * Every network known to this project, by CAIP-2 id: its properties, then its dollar tokens. To add a network, add one
 * row here.
 *
 * Sources of version 1 names: x402 v1 specification; network tables of the reference clients x402 1.2, @x402/evm 2.x
 * and @x402/svm 2.x. Sources of test networks: registry of EVM chains (ethereum-lists/chains), CAIP-2 profiles of the
 * other namespaces, and the same client tables. Sources of tokens: default assets of @x402/evm, @x402/svm, @x402/avm and
 * @x402/stellar 2.x.
 */
export const NETWORKS = {
  // Ethereum creates a block every 12 seconds. Most reorgs are one or two blocks deep; one was seven blocks deep (May
  // 2022).
  'eip155:1': [
    { name: 'Ethereum', v1Name: 'ethereum', confirmations: 12 },
    createUsdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin'),
  ],
  'eip155:17000': [{ isTestnet: true }],
  'eip155:560048': [{ isTestnet: true }],
  'eip155:11155111': [{ name: 'Ethereum Sepolia', v1Name: 'sepolia', isTestnet: true }],

  // Base creates a block every two seconds. A failover of its sequencer can replace blocks that were already published.
  'eip155:8453': [
    { name: 'Base', v1Name: 'base', isInV1Client: true, confirmations: 12 },
    createUsdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin'),
  ],
  'eip155:84532': [
    { name: 'Base Sepolia', v1Name: 'base-sepolia', isInV1Client: true, isTestnet: true, confirmations: 12 },
    createUsdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'),
  ],

  // Polygon finalizes blocks within seconds since the upgrade Heimdall 2. Earlier reorgs replaced dozens of blocks.
  'eip155:137': [
    {
      name: 'Polygon',
      v1Name: 'polygon',
      isInV1Client: true,
      isUsdcLowerCaseInV1Client: true,
      confirmations: 64,
    },
    createUsdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin'),
  ],
  'eip155:80002': [
    { name: 'Polygon Amoy', v1Name: 'polygon-amoy', isInV1Client: true, isTestnet: true, confirmations: 64 },
    createUsdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', 'USDC', V1_ONLY),
  ],

  // Arbitrum creates four blocks per second, so 96 blocks take as long as 12 blocks on Base.
  'eip155:42161': [
    { name: 'Arbitrum One', confirmations: 96 },
    createUsdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USD Coin'),
  ],
  'eip155:421614': [
    { name: 'Arbitrum Sepolia', isTestnet: true, confirmations: 96 },
    createUsdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USD Coin'),
  ],

  // Avalanche, Sei and Monad finalize a block after one or two blocks. One more confirmation covers RPC providers that
  // lag behind.
  'eip155:43114': [
    { name: 'Avalanche', v1Name: 'avalanche', isInV1Client: true, confirmations: 3 },
    createUsdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USD Coin'),
  ],
  'eip155:43113': [
    {
      name: 'Avalanche Fuji',
      v1Name: 'avalanche-fuji',
      isInV1Client: true,
      isTestnet: true,
      confirmations: 3,
    },
    createUsdc('0x5425890298aed601595a70AB815c96711a31Bc65', 'USD Coin', V1_ONLY),
  ],
  'eip155:1329': [
    { name: 'Sei', v1Name: 'sei', isInV1Client: true, isUsdcLowerCaseInV1Client: true, confirmations: 3 },
    createUsdc('0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392', 'USDC'),
  ],
  'eip155:1328': [
    {
      name: 'Sei testnet',
      v1Name: 'sei-testnet',
      isInV1Client: true,
      isUsdcLowerCaseInV1Client: true,
      isTestnet: true,
      confirmations: 3,
    },
    createUsdc('0x4fCF1784B31630811181f670Aea7A7bEF803eaED', 'USDC'),
  ],
  'eip155:143': [
    { name: 'Monad', v1Name: 'monad', confirmations: 3 },
    createUsdc('0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 'USDC'),
  ],
  'eip155:10143': [{ isTestnet: true }],

  // Other EVM networks, sorted by chain id.
  'eip155:10': [{ name: 'Optimism' }],
  'eip155:14': [
    { name: 'Flare', v1Name: 'flare' },
    createDollar(['USDT0', 'USD₮0', '0xe7cd86e13AC4309349F30B3435a9d337750fC82D']),
  ],
  'eip155:50': [{}, createUsdc('0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1', 'USDC')],
  'eip155:51': [{ isTestnet: true }, createUsdc('0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4', 'USDC')],
  'eip155:56': [{ name: 'BNB Chain' }],
  'eip155:97': [{ isTestnet: true }],
  'eip155:100': [{ name: 'Gnosis' }],
  'eip155:114': [{ isTestnet: true }],
  'eip155:196': [
    { name: 'X Layer' },
    createDollar(['USDT0', 'USD₮0', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736'], UNLISTED),
  ],
  'eip155:480': [{ name: 'World Chain' }],
  'eip155:988': [
    { name: 'Stable', v1Name: 'stable' },
    createDollar(['USDT0', 'USDT0', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736']),
  ],
  'eip155:1315': [{ isTestnet: true }],
  'eip155:1514': [
    { name: 'Story', v1Name: 'story', isInV1Client: true },
    createBridgedUsdc('0xF1815bd50389c46847f0Bda824eC8da914045D14', 'Bridged USDC', V1_ONLY),
  ],
  'eip155:2201': [
    { name: 'Stable testnet', v1Name: 'stable-testnet', isTestnet: true },
    createDollar(['USDT0', 'USDT0', '0x78Cf24370174180738C5B8E352B6D14c83a6c9A9']),
  ],
  'eip155:2741': [
    { name: 'Abstract', v1Name: 'abstract', isInV1Client: true, isUsdcLowerCaseInV1Client: true },
    createBridgedUsdc('0x84A71ccD554Cc1b02749b35d22F684CC8ec987e1', 'Bridged USDC', V1_ONLY),
  ],
  'eip155:3338': [
    { name: 'Peaq', v1Name: 'peaq', isInV1Client: true },
    createBridgedUsdc('0xbbA60da06c2c5424f03f7434542280FCAd453d10', 'USDC', V1_ONLY),
  ],
  'eip155:4326': [
    { name: 'MegaETH', v1Name: 'megaeth' },
    createDollar(['MegaUSD', 'MegaUSD', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7'], PERMIT2_18_DECIMALS),
  ],
  'eip155:4689': [
    { name: 'IoTeX', v1Name: 'iotex', isInV1Client: true },
    createBridgedUsdc('0xcdf79194c6c285077a58da47641d4dbe51f63542', 'Bridged USDC', V1_ONLY),
  ],
  'eip155:4690': [{ isTestnet: true }],
  'eip155:4801': [{ name: 'World Chain Sepolia', isTestnet: true }],
  'eip155:11124': [
    { name: 'Abstract testnet', v1Name: 'abstract-testnet', isInV1Client: true, isTestnet: true },
    createBridgedUsdc('0xe4C7fBB0a626ed208021ccabA6Be1566905E2dFc', 'Bridged USDC', V1_ONLY),
  ],
  'eip155:31611': [
    { isTestnet: true },
    createDollar(['mUSD', 'Mezo USD', '0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503'], PERMIT2_18_DECIMALS),
  ],
  'eip155:31612': [
    {},
    createDollar(['mUSD', 'Mezo USD', '0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186'], PERMIT2_18_DECIMALS),
  ],
  'eip155:36900': [
    {},
    createBridgedUsdc('0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2', 'USDC.e', { symbol: 'USDC.e' }),
  ],
  'eip155:38833': [
    {},
    createBridgedUsdc('0xA5b8BF902b2844dA17d4506cc827F7F1681735E7', 'USDC', {
      domain: { name: 'USDC', version: '1' },
      isPermit2Only: true,
    }),
  ],
  'eip155:41923': [
    { name: 'EDU Chain', v1Name: 'educhain', isInV1Client: true },
    createBridgedUsdc('0x12a272A581feE5577A5dFa371afEB4b2F3a8C2F8', 'Bridged USDC (Stargate)', V1_ONLY),
  ],
  'eip155:42220': [
    { name: 'Celo', v1Name: 'celo' },
    createUsdc('0xcebA9300f2b948710d2653dD7B07f33A8B32118C', 'USDC'),
    createDollar(['USDT', 'Tether USD', '0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e']),
    createDollar(['USAT', 'Tether America USD', '0xD2ab3C9A02DBBAB236BfEC45D1d755DF4267F771']),
  ],
  'eip155:44787': [{ isTestnet: true }],
  'eip155:72344': [
    { isTestnet: true },
    createDollar(['SBC', 'Stable Coin', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb'], PERMIT2),
  ],
  'eip155:181228': [
    { isTestnet: true },
    createBridgedUsdc('0x401eCb1D350407f13ba348573E5630B83638E30D', 'Bridged USDC', { symbol: 'USDC.e' }),
  ],
  'eip155:190415': [
    {},
    createBridgedUsdc('0x401eCb1D350407f13ba348573E5630B83638E30D', 'Bridged USDC', { symbol: 'USDC.e' }),
  ],
  'eip155:656476': [{ isTestnet: true }],
  'eip155:723487': [
    {},
    createDollar(['SBC', 'Stable Coin', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb'], PERMIT2),
  ],
  'eip155:11142220': [{ isTestnet: true }, createUsdc('0x01C5C0122039549AD1493B8220cABEdD739BC44E', 'USDC')],
  'eip155:11155420': [{ isTestnet: true }],
  'eip155:324705682': [
    { name: 'SKALE Base Sepolia', v1Name: 'skale-base-sepolia', isInV1Client: true, isTestnet: true },
    createBridgedUsdc('0x2e08028E3C4c2356572E096d8EF835cD5C6030bD', 'Bridged USDC (SKALE Bridge)', V1_ONLY),
  ],

  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [
    { name: 'Solana', v1Name: 'solana', isInV1Client: true },
    createMint('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
    createMint('USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
    createMint('USDG', '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH'),
    createMint('PYUSD', '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'),
    createMint('CASH', 'CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH'),
  ],
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': [
    { name: 'Solana devnet', v1Name: 'solana-devnet', isInV1Client: true, isTestnet: true },
    createMint('USDC', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'),
    createMint('USDG', '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7'),
    createMint('PYUSD', 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM'),
  ],
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': [
    { name: 'Solana testnet', v1Name: 'solana-testnet', isTestnet: true },
    createMint('USDC', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'),
    createMint('USDG', '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7'),
    createMint('PYUSD', 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM'),
  ],

  'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k': [{}, createOtherUsdc('31566704', 6)],
  'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe': [{ isTestnet: true }, createOtherUsdc('10458941', 6)],
  'stellar:pubnet': [{}, createOtherUsdc('CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 7)],
  'stellar:testnet': [
    { isTestnet: true },
    createOtherUsdc('CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA', 7),
  ],
  'hedera:testnet': [{ isTestnet: true }],
} as const satisfies Readonly<Record<`${string}:${string}`, NetworkRow>>;

/** CAIP-2 id of a network in the table. */
export type NetworkId = keyof typeof NETWORKS;
