import type { PublicDispute } from '@touchstone/store';

/** Creates an open dispute of a wallet. The overrides replace single properties. */
export function createTestDispute(overrides: Partial<PublicDispute> = {}): PublicDispute {
  return {
    id: `d_${'a'.repeat(26)}`,
    subject: 'slow',
    proof: 'wallet',
    wallet: '0x2096…287C',
    isFormerWallet: false,
    shown: 'Responses are slow.',
    text: 'They are fast since Monday.',
    state: 'open',
    createdAt: '2026-11-01T00:00:00.000Z',
    answer: null,
    answeredAt: null,
    resource: 'https://api.example.com/v1/weather',
    slug: 'api-example-com-v1-weather-abcdefgh27',
    ...overrides,
  };
}
