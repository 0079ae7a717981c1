/**
 * Chain id of Base. The sandbox's chain has the same id, so that standard x402 clients can pay there without changes.
 */
export const CHAIN_ID = 8453;
export const NETWORK = 'eip155:8453';
/** Name of Base in x402 v1. */
export const NETWORK_V1 = 'base';
/**
 * Address of USDC on Base. The sandbox's token has the same address on the sandbox's chain (x402 exact scheme, default
 * assets).
 */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Address of Multicall3, which is the same on every chain. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
/**
 * Account that owns the sandbox's token and can mint it. The private key is unknown, so the node sends this account's
 * transactions by impersonation.
 */
export const OWNER = '0x00000000000000000000000000000000000c0171';
