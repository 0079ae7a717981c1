import { EURC, POLYGON_USDC, SEPOLIA_USDC, USDC, type JsonObject } from './seller.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const DOMAIN = { name: 'USD Coin', version: '2' };
const GATEWAY = '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE';
const toAddress = (end: string): string => `0x${end.padStart(40, '0')}`;

/** Values of the members of an option, near the border of what clients sign and what settles. */
export const MEMBERS: Readonly<Record<string, readonly unknown[]>> = {
  scheme: ['exact', 'upto', 'EXACT', 'deferred', '', null, 1],
  network: [
    ...['eip155:8453', 'eip155:137', 'eip155:84532', 'eip155:1', 'eip155:196', 'eip155:08453'],
    ...['EIP155:8453', 'eip155:8453 ', 'eip155:', 'base', 'base-sepolia', 'polygon', 'Base', 'avalanche'],
    ...[8453, null, ['eip155:8453']],
  ],
  asset: [
    ...[USDC.toLowerCase(), USDC.toUpperCase(), USDC.replace('fC', 'Fc'), USDC.slice(2), ` ${USDC}`],
    ...[POLYGON_USDC, SEPOLIA_USDC, EURC, WALLET, 'USDC'],
    ...[`eip155:8453/erc20:${USDC}`, `0x${USDC.slice(2).toUpperCase()}`, '', null, 5, [USDC]],
  ],
  payTo: [
    ...[WALLET, WALLET.toLowerCase(), WALLET.replace('E4', 'e4'), WALLET.toUpperCase(), WALLET.slice(2)],
    ...[toAddress('0'), toAddress('dEaD'), toAddress('1'), USDC, USDC.toLowerCase(), POLYGON_USDC],
    ...[`${WALLET} `, `eip155:8453:${WALLET}`, 'seller.eth', '', null, 7, [WALLET]],
  ],
  amount: [
    ...['1', '0', '00100', '-1', '0.01', ' 100', '1e3', '0x10', '+5', '1_000', '', `1${'0'.repeat(18)}`],
    ...[String(2n ** 256n - 1n), String(2n ** 256n), '999999999999999'],
    ...[10_000, 0, 0.5, -1, 1e21, null, true, ['1']],
  ],
  maxAmountRequired: ['1', '0', 10_000, '1.5', '', null],
  maxTimeoutSeconds: [
    ...[300, 86_400, 604_800, 0, 1, 5, -1, -600, 1.5, 1e12, 2 ** 53, 1e21],
    ...['60', '', 'abc', null, true, [60]],
  ],
  extra: [
    ...[
      { name: 'USDC', version: '2' },
      { name: 'USD Coin', version: '1' },
      { name: 'USD Coin', version: 2 },
    ],
    ...[
      { name: 'USD Coin' },
      { version: '2' },
      { name: '', version: '2' },
      { name: 'usd coin', version: '2' },
    ],
    ...[{ assetTransferMethod: 'permit2' }, { ...DOMAIN, assetTransferMethod: 'permit2' }, {}, null, 'x', []],
    ...[
      { ...DOMAIN, assetTransferMethod: 'eip3009' },
      { ...DOMAIN, assetTransferMethod: 'other' },
    ],
    ...[
      { ...DOMAIN, verifyingContract: USDC },
      { ...DOMAIN, verifyingContract: WALLET, chainId: 1 },
    ],
    ...[
      { ...DOMAIN, paymentFlow: 'upfront' },
      { ...DOMAIN, paymentFlow: 'barter' },
      { name: 1, version: true },
    ],
    ...[
      { name: 'GatewayWalletBatched', version: '1', verifyingContract: GATEWAY },
      { ...DOMAIN, decimals: 6 },
    ],
    { name: ['USD Coin'], version: '2' },
  ],
  resource: [
    '/tides',
    '',
    null,
    5,
    'https://api.example.com/v1/tides?x=1',
    { url: 'https://api.example.com/' },
  ],
  description: ['', null, 5, 'é💸'.repeat(80), 'x'.repeat(2_000)],
  mimeType: ['', null, 5],
  outputSchema: [null, {}, 'x', { input: { type: 'http', method: 'POST' } }],
};

/** Values of members of an option for which clients sign a payment that does not settle. */
export const UNSETTLED: Readonly<Record<string, readonly unknown[]>> = {
  payTo: [toAddress('0'), toAddress('dEaD'), toAddress('1'), USDC],
  amount: [`1${'0'.repeat(18)}`, String(2n ** 256n - 1n)],
  maxTimeoutSeconds: [0, 1, 5],
  extra: [
    { name: 'USDC', version: '2' },
    { name: 'USD Coin', version: '1' },
    { name: 'usd coin', version: '2' },
  ],
};

/** Changes that make another option, such as an option on another network. */
export const OTHER_OPTIONS: readonly JsonObject[] = [
  { network: 'eip155:137', asset: POLYGON_USDC },
  { network: 'eip155:84532', asset: SEPOLIA_USDC, extra: { name: 'USDC', version: '2' } },
  { network: 'eip155:8453' },
  { scheme: 'upto' },
  { network: 'eip155:56', asset: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d' },
];

/** Values of the members of an envelope. */
export const ENVELOPE: Readonly<Record<string, readonly unknown[]>> = {
  x402Version: ['2', '1', 1, 2, 3, null, 1.5],
  accepts: [[], null, {}, 'x', [null], [5], [[]]],
  resource: [undefined, null, 'https://api.example.com/v1/tides', 5, [], {}, { url: '/tides' }],
  extensions: [
    ...[null, {}, [], 'x', { bazaar: null }],
    { bazaar: { info: { input: { type: 'http', method: 'POST' } } } },
  ],
  error: [null, 5, 'x'.repeat(9_000)],
};
