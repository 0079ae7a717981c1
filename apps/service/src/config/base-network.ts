/** CAIP-2 id of Base: the sandbox's chain uses it, and `X402_NETWORK` defaults to it. */
export const BASE_NETWORK = 'eip155:8453';
