import { readListing, type Listing } from '../../listing/read-listing.ts';
import type { RuleCases } from './rule-case.ts';
import { REQUEST_URL, v2Option, v2Response, type JsonObject } from '../../testing/fixtures.ts';
import type { ChallengeContext } from '../../types.ts';

const RECEIVED_AT = Date.parse('2026-05-31T00:00:00Z');
const OTHER_ADDRESS = '0x1111111111111111111111111111111111111111';

function listing(item: JsonObject): Listing | null {
  const result = readListing({ resource: REQUEST_URL, x402Version: 2, ...item });
  return result.ok ? result.listing : null;
}

/** Creates a check context with a listing of a discovery directory. Its only option has the given changes. */
function listed(change: JsonObject, lastUpdated = '2026-05-01T00:00:00Z'): ChallengeContext {
  return { listing: listing({ accepts: [v2Option(change)], lastUpdated }), receivedAt: RECEIVED_AT };
}

const response = v2Response();

/** Example responses for the rules on the directory listing. */
export const LISTING_CASES: RuleCases = {
  'listing-network': {
    pass: { response, context: listed({ network: 'base' }) },
    fail: { response, context: listed({ network: 'eip155:137' }) },
    skip: { response, context: { listing: listing({ accepts: [] }) } },
  },
  'listing-price': {
    pass: { response, context: listed({}) },
    fail: { response, context: listed({ amount: '5000' }) },
    skip: { response, context: listed({ amount: '0.01' }) },
  },
  'listing-payto': {
    pass: { response, context: listed({}) },
    fail: { response, context: listed({ payTo: OTHER_ADDRESS }) },
    skip: { response },
  },
  'listing-asset': {
    pass: { response, context: listed({}) },
    fail: { response, context: listed({ asset: OTHER_ADDRESS }) },
    skip: { response, context: listed({ network: 'eip155:137' }) },
  },
  'listing-stale': {
    pass: { response, context: listed({}) },
    fail: { response, context: listed({}, '2026-04-30T00:00:00Z') },
    skip: { response, context: { listing: listing({ accepts: [v2Option()] }) } },
  },
};
