import { BASE_USDC, PAY_TO, REQUEST_URL } from './fixtures.ts';

const SOLANA_WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const NUMBERS = [0, -1, 1, 2, 1.5, 60, 86_400, 2 ** 31, 2 ** 53, 1e21, 1e300, -0, 5e-324];
const AMOUNTS = [
  ...['', ' ', '0', '00', '1', '999', '1000', '10000', ' 12 ', '+5', '-5', '1.0', '0.5', '1e3', '0x10'],
  ...['0b1'],
  ...['1_000', '１２', 'NaN', 'Infinity', '$0.01', '9'.repeat(19), '9'.repeat(78), '1'.padEnd(79, '0')],
];
const NETWORKS = [
  ...['base', 'base-sepolia', 'Base', 'polygon', 'monad', 'iotex', 'sei', 'solana', 'solana-devnet'],
  ...['solana-testnet', 'abstract', 'eip155:8453', 'eip155:84532', 'eip155:137', 'eip155:196', 'eip155:'],
  ...['eip155:x', 'eip155:8453 ', 'eip155:0x2105', 'EIP155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ...['solana:mainnet', 'solana:', 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', 'stellar:pubnet'],
  ...['hedera:testnet'],
];
const ADDRESSES = [
  ...[
    BASE_USDC,
    BASE_USDC.toLowerCase(),
    BASE_USDC.toUpperCase(),
    PAY_TO,
    PAY_TO.toLowerCase(),
    `${PAY_TO}0`,
  ],
  ...['0x0000000000000000000000000000000000000000', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'],
  ...['0x'],
  ...[SOLANA_USDC, SOLANA_WALLET, SOLANA_WALLET.slice(1), `${SOLANA_WALLET}1`, '1'.repeat(32), 'merchant'],
  `eip155:8453/erc20:${BASE_USDC}`,
];
const TEXTS = [
  ...['exact', 'upto', 'permit2', 'eip3009', 'erc7710', 'upfront', 'escrow', 'USD Coin', 'USDC', '2'],
  ...[REQUEST_URL],
  ...['http://localhost:3000/', '//x', 'javascript:1', '/users/:id', '/%2e%2e/', 'application/json'],
  ...['POST', 'mcp'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '\u202e',
    '\u001b[2J',
    '💸'.repeat(40),
    '"',
    '\\',
  ],
  ...['a'.repeat(600), 'a'.repeat(20_000), '#/$defs/a', '^(a+)+$'],
];
const STRUCTURES: readonly unknown[] = [
  ...[null, true, false, [], {}, [null], [[]], [1, 2], { toString: 1, valueOf: 2 }, { length: 5 }],
  ...[
    { url: REQUEST_URL },
    { name: 'USD Coin', version: '2' },
    { name: 1, version: 2 },
    { feePayer: SOLANA_WALLET },
  ],
  ...[{ $ref: '#' }, { allOf: [{ $ref: '#' }, { $ref: '#' }] }, { type: 'object', required: ['x'] }],
];

/** JSON values that are known to break parsers, and values that are almost valid. */
export const MALFORMED_VALUES: readonly unknown[] = [
  ...NUMBERS,
  ...AMOUNTS,
  ...NETWORKS,
  ...ADDRESSES,
  ...TEXTS,
  ...STRUCTURES,
];

/** Member names of the protocol, and other names that may cause faults, such as `__proto__`. */
export const MEMBER_NAMES = [
  ...['x402Version', 'error', 'resource', 'accepts', 'extensions', 'url', 'description', 'mimeType', 'tags'],
  ...['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  ...['name'],
  ...['version', 'feePayer', 'memo', 'assetTransferMethod', 'paymentFlow', 'bazaar', 'info', 'schema'],
  ...['input'],
  ...['output', 'method', 'type', 'body', 'bodyType', 'routeTemplate', 'outputSchema', 'properties', 'items'],
  ...['__proto__', 'constructor', 'toString', '', '\ud800', 'price', 'serviceName', 'iconUrl'],
];
