/** CAIP-2 id of Base: default of `X402_NETWORK` and `SANDBOX_NETWORK`. */
export const BASE_NETWORK = 'eip155:8453';

/** Allowed values of `SANDBOX_NETWORK`: Base and Base Sepolia, which is a test network. */
export const SANDBOX_NETWORKS = [BASE_NETWORK, 'eip155:84532'] as const;
export type SandboxNetwork = (typeof SANDBOX_NETWORKS)[number];
