/** The sandbox's chain calls itself Base, so that stock clients pay on it as they would there. */
export const CHAIN_ID = 8453;
export const NETWORK = 'eip155:8453';
/** Base's name in x402 version 1. */
export const NETWORK_V1 = 'base';
/** Where USDC is on Base, and the sandbox's dollar on its chain (x402 exact scheme, default assets). */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Where Multicall3 is on every chain. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** Mints the sandbox's dollars; nobody holds its key, the chain acts in its name. */
export const OWNER = '0x00000000000000000000000000000000000c0171';
