import { expect, test } from 'vitest';
import { classifyRpcError } from './rpc-error.ts';

test.each<[ReturnType<typeof classifyRpcError>, number, string]>([
  // A request with a smaller range or with fewer addresses succeeds.
  ['too-large', -32_005, 'query returned more than 10000 results'],
  ['too-large', -32_005, 'limit exceeded'],
  ['too-large', -32_602, 'range 1000000 exceeds limit of 10000'],
  ['too-large', -32_602, 'Log response size exceeded. This block range should work: [0x1, 0x2]'],
  ['too-large', -32_600, 'You can make eth_getLogs requests with up to a 500 block range.'],
  ['too-large', -32_602, 'Your throughput is limited to ranges of 100 blocks per second of compute units.'],
  ['too-large', -32_614, 'eth_getLogs is limited to a 10,000 range'],
  ['too-large', -32_062, 'Block range is too wide'],
  ['too-large', 35, 'ranges over 10000 blocks are not supported on freetier'],
  [
    'too-large',
    -32_701,
    'Please specify an address in your request or, to remove restrictions, order a node',
  ],
  ['too-large', -32_000, 'exceed maximum block range: 5000'],
  ['too-large', -32_000, 'invalid block range params'],
  ['too-large', -32_602, 'query exceeds max results 20000, retry with the range 24383075-24383096'],
  ['too-large', -32_008, 'Response is too big'],
  ['too-large', -32_020, 'backend response too large'],
  ['too-large', -32_603, 'internal error: response too large'],
  ['too-large', -32_000, 'exceed max addresses or topics per search position'],
  // A contract refused the call, and chose the rest of the text.
  ['reverted', 3, 'execution reverted: too many requests'],
  ['reverted', -32_000, 'execution reverted'],
  ['reverted', -32_015, 'VM execution error.'],
  // The provider demands a pause.
  ['rate-limited', 429, 'Your app has exceeded its compute units per second capacity.'],
  ['rate-limited', -32_005, 'daily request count exceeded, request rate limited'],
  ['rate-limited', -32_005, 'project ID request rate exceeded'],
  ['rate-limited', -32_007, '50/second request limit reached - reduce calls per second'],
  ['rate-limited', -32_012, 'backend is over capacity'],
  ['rate-limited', -32_016, 'over rate limit'],
  ['rate-limited', -32_029, 'Too Many Requests'],
  ['rate-limited', -32_090, 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
  // The same request succeeds later, often on another server of the provider.
  ['unavailable', -32_011, 'no backend is currently healthy to serve traffic'],
  ['unavailable', -32_018, 'backend is currently not healthy to serve traffic'],
  ['unavailable', -32_010, 'backend offline'],
  ['unavailable', -32_603, 'Internal error'],
  ['unavailable', -32_603, ''],
  ['unavailable', -32_000, 'header not found'],
  ['unavailable', -32_000, 'unknown block'],
  ['unavailable', -32_602, 'block range extends beyond current head block'],
  ['unavailable', -32_004, 'Block not available for slot 133354927'],
  ['unavailable', -32_000, 'internal error'],
  ['unavailable', 19, 'Temporary internal error. Please retry, trace-id: 7f3a'],
  ['unavailable', -32_000, 'service temporarily unavailable'],
  ['unavailable', -32_000, 'upstream connect error or disconnect/reset before headers'],
  ['unavailable', -32_005, 'Node is behind by 61 slots'],
  ['unavailable', -32_002, 'resource unavailable'],
  ['unavailable', -32_000, 'transaction indexing is in progress'],
  ['unavailable', -32_000, 'One of the blocks specified in filter (fromBlock or toBlock) cannot be found'],
  // The provider no longer has the block.
  ['unusable', 4_444, 'requested block 7, earliest available 900'],
  ['unusable', -32_000, 'pruned history unavailable'],
  // The provider has given up on the request itself.
  ['slow', -32_015, 'gateway timeout'],
  ['slow', -32_000, 'request timed out'],
  ['slow', -32_005, 'query timeout exceeded'],
  ['slow', -32_000, 'query duration must not exceed 10 seconds'],
])('%s: %d %s', (kind, code, message) => {
  expect(classifyRpcError({ code, message }, 200)).toBe(kind);
});

test.each([
  [200, 'too-large'],
  [400, 'too-large'],
  [500, 'unavailable'],
  [503, 'unavailable'],
] as const)('an unknown error with status %d is %s', (status, kind) => {
  expect(classifyRpcError({ code: -32_000, message: 'failed' }, status)).toBe(kind);
  expect(classifyRpcError({}, status)).toBe(kind);
});
