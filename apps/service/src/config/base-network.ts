/** CAIP-2 id of Base. The site of the sandbox sells on the chain with this id. This id is also the default of `X402_NETWORK`. */
export const BASE_NETWORK = 'eip155:8453';
