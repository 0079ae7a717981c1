import { readListing, type Listing } from '../../read-listing.ts';
import type { RuleCases } from '../rule-case.ts';
import { URL_ASKED, v2Option, v2Response, type Bag } from '../../testing/fixtures.ts';
import type { ChallengeContext } from '../../types.ts';

const ANSWERED_AT = Date.parse('2026-05-31T00:00:00Z');
const OTHER_ADDRESS = '0x1111111111111111111111111111111111111111';

function listing(item: Bag): Listing | null {
  const result = readListing({ resource: URL_ASKED, x402Version: 2, ...item });
  return result.ok ? result.listing : null;
}

/** A directory that lists the textbook option, changed. */
function listed(change: Bag, lastUpdated = '2026-05-01T00:00:00Z'): ChallengeContext {
  return { listing: listing({ accepts: [v2Option(change)], lastUpdated }), at: ANSWERED_AT };
}

const response = v2Response();

/** Examples of the rules on what a directory says of the endpoint. */
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
