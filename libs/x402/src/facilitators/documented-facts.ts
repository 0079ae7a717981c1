import type { FacilitatorSupport } from './facilitator-row.ts';

export const BASE = 'eip155:8453';
export const POLYGON = 'eip155:137';
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';

function listSchemes(
  schemes: readonly string[],
  ...networks: readonly string[]
): FacilitatorSupport['schemes'] {
  return Object.fromEntries(networks.map((network) => [network, schemes]));
}

/** Survey of several facilitators: networks and schemes that they documented or reported on 2026-10-19. */
const SURVEY =
  'https://dev.to/scriptmasterlabs01/which-payment-networks-support-the-x402-protocol-the-facilitator-lists-re-probed-46bn';
const READ_ON = '2026-11-27';

/**
 * Base, Polygon, Arbitrum, Monad, World Chain and Solana, and the test networks Base Sepolia, World Chain Sepolia and
 * Solana devnet. The documents disagree about the scheme `upto` on Solana, so it is left out.
 */
export const CDP_SUPPORT: FacilitatorSupport = {
  schemes: {
    ...listSchemes(
      ['exact', 'upto', 'batch-settlement'],
      ...[BASE, POLYGON, 'eip155:42161', 'eip155:143', 'eip155:480', 'eip155:84532', 'eip155:4801'],
    ),
    ...listSchemes(['exact'], SOLANA, SOLANA_DEVNET),
  },
  readOn: READ_ON,
  sources: [
    'https://docs.cdp.coinbase.com/x402/seller/facilitator',
    'https://docs.cdp.coinbase.com/x402/support/faq',
    SURVEY,
  ],
};

/**
 * Limits that sellers measured at CDP, which documents none.
 *
 * Description: requests that differed only in its length were accepted with 500 characters and refused with 501. Yet most
 * resources with longer descriptions in the CDP directory are paid, because some servers leave the description out of
 * their requests to CDP.
 *
 * Amount: the amounts were tested on Base Sepolia only.
 *
 * Size of the challenge: no limit is known. Refused challenges of 3,348 and 3,564 bytes also had long descriptions, and a
 * challenge of 3,440 bytes with a short description was paid.
 */
export const CDP_LIMITS = {
  description: {
    accepted: 500,
    refused: 501,
    readOn: READ_ON,
    sources: [
      'https://github.com/x402-foundation/x402/issues/2785',
      'https://github.com/x402-foundation/x402/issues/2832',
      'https://github.com/x402-foundation/x402/pull/3049',
      'https://github.com/coinbase/cdp-sdk/issues/759',
    ],
  },
  amount: {
    accepted: 1_000,
    refused: 200,
    readOn: READ_ON,
    sources: [
      'https://github.com/x402-foundation/x402/issues/1171',
      'https://github.com/x402-foundation/x402/issues/1023',
    ],
  },
};

export const PAYAI_SUPPORT: FacilitatorSupport = {
  schemes: listSchemes(
    ['exact'],
    ...[
      BASE,
      POLYGON,
      'eip155:42161',
      'eip155:43114',
      'eip155:1329',
      'eip155:196',
      'eip155:1187947933',
      SOLANA,
    ],
    ...['eip155:84532', 'eip155:80002', 'eip155:421614', 'eip155:43113', 'eip155:713715', 'eip155:1952'],
    ...['eip155:324705682', SOLANA_DEVNET],
  ),
  readOn: READ_ON,
  sources: ['https://docs.payai.network/x402/supported-networks', SURVEY],
};

export const CIRCLE_SUPPORT: FacilitatorSupport = {
  schemes: listSchemes(
    ['exact'],
    ...['eip155:5042', BASE, POLYGON, 'eip155:5042002', 'eip155:84532', 'eip155:80002'],
  ),
  readOn: READ_ON,
  sources: [
    'https://developers.circle.com/facilitator-service',
    'https://developers.circle.com/facilitator-service/supported-networks',
  ],
};
