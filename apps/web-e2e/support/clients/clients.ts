import type { Client } from './client.ts';
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

const HTTP_V1 = { x402Version: 1, protocol: 'HTTP' } as const;
const HTTP_V2 = { x402Version: 2, protocol: 'HTTP' } as const;

/** Client matrix of docs/clients.md. */
export const CLIENTS: readonly Client[] = [
  {
    ...{ name: 'x402-fetch', ...HTTP_V1, isInSuite: true, connect: connectFetchV1 },
    packages: { 'x402-fetch': '1.2.0' },
  },
  {
    ...{ name: 'x402-axios', ...HTTP_V1, isInSuite: true, connect: connectAxiosV1 },
    packages: { 'x402-axios': '0.7.2', axios: '1.21.1' },
  },
  {
    ...{ name: 'x402-mcp', x402Version: 1, protocol: 'MCP', isInSuite: true, connect: connectX402Mcp },
    packages: { 'x402-mcp': '0.0.5', '@ai-sdk/mcp': '2.0.99', ai: '7.0.173', viem: '2.57.20' },
  },
  {
    ...{ name: '@x402/fetch', ...HTTP_V2, isInSuite: true, connect: connectFetch },
    packages: { '@x402/fetch': '2.27.0', '@x402/evm': '2.27.0' },
  },
  {
    ...{ name: '@x402/axios', ...HTTP_V2, isInSuite: true, connect: connectAxios },
    packages: { '@x402/axios': '2.11.0', '@x402/evm': '2.27.0', axios: '1.21.1' },
  },
  {
    ...{ name: '@faremeter/fetch', ...HTTP_V2, isInSuite: true, connect: connectFaremeter },
    packages: { '@faremeter/fetch': '0.22.0', '@faremeter/payment-evm': '0.22.0' },
  },
  {
    ...{ name: 'x402-fetch 0.7', ...HTTP_V1, isInSuite: false, isPinned: true, connect: connectFetchV1 },
    packages: { 'x402-fetch': '0.7.3' },
  },
  {
    ...{ name: '@x402/fetch 2.2', ...HTTP_V2, isInSuite: false, isPinned: true, connect: connectFetch },
    packages: { '@x402/fetch': '2.2.0', '@x402/core': '2.2.0', '@x402/evm': '2.2.0' },
  },
  {
    ...{ name: 'agents 0.2', x402Version: 1, protocol: 'MCP', isInSuite: false, isPinned: true },
    connect: connectAgents,
    packages: { agents: '0.2.35', '@modelcontextprotocol/sdk': '1.23.0', x402: '0.7.3', viem: '2.57.20' },
  },
  {
    ...{ name: 'agents', x402Version: 2, protocol: 'MCP', isInSuite: false, connect: connectAgents },
    packages: {
      ...{ agents: '0.32.0', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7' },
      ...{ '@x402/core': '2.27.0', '@x402/evm': '2.27.0' },
    },
  },
  {
    ...{ name: '@coinbase/agentkit', ...HTTP_V2, isInSuite: false, connect: connectAgentkit },
    packages: { '@coinbase/agentkit': '0.10.4', graphql: '17.1.0' },
  },
  {
    ...{ name: 'mppx', ...HTTP_V2, isInSuite: false, connect: connectMppx },
    packages: { mppx: '0.11.0', viem: '2.57.20' },
  },
  {
    ...{ name: 'touchstone', x402Version: 2, protocol: 'command line', hasDemoWallet: true },
    ...{ packages: {}, isInSuite: true, connect: connectTouchstone },
  },
  {
    ...{ name: 'touchstone mcp', x402Version: 2, protocol: 'MCP', hasDemoWallet: true },
    ...{ packages: {}, isInSuite: true, connect: connectTouchstoneMcp },
  },
];
