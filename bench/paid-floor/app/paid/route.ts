import { HTTPFacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { withX402, x402ResourceServer } from '@x402/next';
import { NextResponse } from 'next/server.js';

export const dynamic = 'force-dynamic';

const NETWORK = 'eip155:8453';
const facilitator = new HTTPFacilitatorClient({ url: process.env['X402_FACILITATOR_URL'] ?? '' });
const server = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme());

/**
 * Smallest paid route. Its latency is a lower bound for paid routes. It has no input, work or database, and does not
 * store the payment.
 */
export const POST = withX402(
  () => Promise.resolve(NextResponse.json({ ok: true })),
  {
    accepts: { scheme: 'exact', network: NETWORK, payTo: process.env['X402_PAY_TO'] ?? '', price: '$0.005' },
    description: 'Smallest paid route',
  },
  server,
);
