export { toTestAddress, BLOCK_SECONDS, createFakeChain, GENESIS_SECONDS, USDC } from './fake-chain.ts';
export { serveRpc } from './rpc-server.ts';
