/** CAIP-2 id of Base. The sandbox's chain has the same id, and `X402_NETWORK` has this default. */
export const BASE_NETWORK = 'eip155:8453';
