/** Chain id of Base, which the sandbox's chain also uses, so that standard clients pay on it unchanged. */
export const CHAIN_ID = 8453;
export const NETWORK = 'eip155:8453';
/** Name of Base in x402 v1. */
export const NETWORK_V1 = 'base';
/** Address of USDC on Base, and of the sandbox's token on its chain (x402 exact scheme, default assets). */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Address of Multicall3, which is the same on every chain. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** Owner of the sandbox's token, which can mint. Its private key is unknown; the node impersonates it. */
export const OWNER = '0x00000000000000000000000000000000000c0171';
