import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/example.ts';
import type { EndpointSummary } from './response.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/**
 * Example of the summary of an endpoint with its present payTo address, signed with the same published test key as the
 * example of a trust report.
 */
export const ENDPOINT_SUMMARY_EXAMPLE: EndpointSummary = {
  $schema: 'https://touchstone.example/schemas/endpoint-summary/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'endpoint-summary',
  generatedAt: report.generatedAt,
  requested: { resource: report.resource, payTo: PAY_TO, network: 'eip155:8453' },
  match: 'exact',
  payTo: { address: PAY_TO, network: 'eip155:8453', observed: true, current: true },
  endpoint: {
    resource: report.resource,
    endpointId: report.endpointId,
    endpointPage: report.endpointPage,
    method: 'GET',
    serviceName: report.serviceName,
    description: report.description,
    templated: false,
    score: report.score,
    grade: 'A',
    recommendation: 'proceed',
    confidence: report.confidence,
    computedAt: '2026-05-31T23:45:36.000Z',
    uptime30d: 99.7,
    latencyMs: 268,
    latencyLabel: 'fast',
    vantage: 'eu',
    probes30d: 1440,
    lastProbedAt: '2026-06-01T00:00:00.000Z',
    failingSince: null,
    amountUsd: '0.010000',
    priceStability: 'changed once',
    priceRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
    network: 'eip155:8453',
    payOn: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        assetSymbol: 'USDC',
        decimals: 6,
        amount: '10000',
        amountUsd: '0.010000',
        payTo: '0x2096…287C',
        canonicalUsdc: true,
      },
    ],
    firstSeen: report.listing.firstSeen,
    daysTracked: 94,
    listing: { status: 'listed', source: 'directory', directories: ['CDP'], delistedAt: null },
    errorFlags: 0,
    warningFlags: 0,
    betterAlternatives: 0,
  },
  signature: {
    algorithm: 'Ed25519',
    keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    keys: 'https://touchstone.example/.well-known/touchstone-keys.json',
    value: '51cGVdAedV4rEjMJ0N3vLGx1U-QtDfpK6fReVStYIg3MzMaIkT_lDlVeNhnODyqo4j8mfq9qfAgZWRmLEGalBw',
  },
};
