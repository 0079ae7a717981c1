import { PRODUCTS, type Client } from './client.ts';
import {
  connectAgentkit,
  connectAxios,
  connectAxiosV1,
  connectFaremeter,
  connectFetch,
  connectFetchV1,
  connectMppx,
} from './http-clients.ts';
import { connectAgents, connectX402Mcp } from './mcp-clients.ts';
import { connectTouchstone, connectTouchstoneMcp } from './touchstone-clients.ts';

const HTTP_V1 = { x402Version: 1, protocol: 'HTTP', products: PRODUCTS } as const;
const HTTP_V2 = { x402Version: 2, protocol: 'HTTP', products: PRODUCTS } as const;
const MCP_V1 = { x402Version: 1, protocol: 'MCP', products: PRODUCTS } as const;
const MCP_V2 = { x402Version: 2, protocol: 'MCP', products: PRODUCTS } as const;

/** Client matrix of docs/clients.md. */
export const CLIENTS: readonly Client[] = [
  {
    ...{ name: 'x402-fetch', ...HTTP_V1, checked: 'each test run', connect: connectFetchV1 },
    packages: { 'x402-fetch': '1.2.0' },
  },
  {
    ...{ name: 'x402-axios', ...HTTP_V1, checked: 'each test run', connect: connectAxiosV1 },
    packages: { 'x402-axios': '0.7.2', axios: '1.21.1' },
  },
  {
    ...{ name: 'x402-mcp', ...MCP_V1, checked: 'each test run', connect: connectX402Mcp },
    packages: { 'x402-mcp': '0.0.5', '@ai-sdk/mcp': '2.0.99', ai: '7.0.173', viem: '2.57.20' },
  },
  {
    ...{ name: '@x402/fetch', ...HTTP_V2, checked: 'each test run', connect: connectFetch },
    packages: { '@x402/fetch': '2.27.0', '@x402/evm': '2.27.0' },
  },
  {
    ...{ name: '@x402/axios', ...HTTP_V2, checked: 'each test run', connect: connectAxios },
    packages: { '@x402/axios': '2.11.0', '@x402/evm': '2.27.0', axios: '1.21.1' },
  },
  {
    ...{ name: '@faremeter/fetch', ...HTTP_V2, checked: 'each test run', connect: connectFaremeter },
    packages: { '@faremeter/fetch': '0.22.0', '@faremeter/payment-evm': '0.22.0' },
  },
  {
    ...{ name: 'agents 0.2', ...MCP_V1, checked: 'nightly, this version', connect: connectAgents },
    packages: { agents: '0.2.35', '@modelcontextprotocol/sdk': '1.23.0', x402: '0.7.3', viem: '2.57.20' },
  },
  {
    ...{ name: 'agents', ...MCP_V2, checked: 'nightly', connect: connectAgents },
    packages: {
      ...{ agents: '0.32.0', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7' },
      ...{ '@x402/core': '2.27.0', '@x402/evm': '2.27.0' },
    },
  },
  {
    ...{ name: '@coinbase/agentkit', ...HTTP_V2, checked: 'nightly', connect: connectAgentkit },
    packages: { '@coinbase/agentkit': '0.10.4', graphql: '17.1.0' },
  },
  {
    ...{ name: 'mppx', ...HTTP_V2, checked: 'nightly', connect: connectMppx },
    packages: { mppx: '0.11.0', viem: '2.57.20' },
  },
  {
    ...{ name: 'touchstone', ...HTTP_V2, protocol: 'command line', checked: 'nightly' },
    ...{ packages: {}, hasDemoWallet: true, connect: connectTouchstone },
  },
  {
    ...{ name: 'touchstone mcp', ...MCP_V2, checked: 'nightly' },
    ...{ packages: {}, hasDemoWallet: true, connect: connectTouchstoneMcp },
  },
];
