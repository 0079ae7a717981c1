/** CAIP-2 id of Base. The sandbox's chain has the same id. This id is also the default of `X402_NETWORK`. */
export const BASE_NETWORK = 'eip155:8453';
