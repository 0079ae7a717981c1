import { createServer } from 'node:http';
import {
  createLogSource,
  createReceiptSource,
  HEAD_BLOCK,
  formatBlockHeader,
  formatTransaction,
} from './generated-chain.ts';

/**
 * Program of a child process: a simulated RPC node that serves the generated chain. It sends its address to the parent
 * process when it is ready.
 */
const getLogs = createLogSource();
const getReceipt = createReceiptSource();

interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function getResult({ method, params: [first] }: RpcRequest): string {
  if (method === 'eth_chainId') return '"0x2105"';
  if (method === 'eth_blockNumber') return JSON.stringify(`0x${HEAD_BLOCK.toString(16)}`);
  if (method === 'eth_getBlockByNumber') return formatBlockHeader(Number(first));
  // The cast is safe, because both measured clients send a filter as the first parameter of eth_getLogs.
  if (method === 'eth_getLogs') return getLogs(first as Parameters<typeof getLogs>[0]);
  if (method === 'eth_getTransactionByHash') return formatTransaction(String(first));
  if (method === 'eth_getTransactionReceipt') return getReceipt(String(first));
  throw new Error(`the generated chain does not support ${method}`);
}

const formatResponse = (request: RpcRequest): string =>
  `{"jsonrpc":"2.0","id":${request.id},"result":${getResult(request)}}`;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    // The cast is safe, because both measured clients send valid JSON-RPC requests.
    const body = JSON.parse(text) as RpcRequest | RpcRequest[];
    response.setHeader('content-type', 'application/json');
    response.end(Array.isArray(body) ? `[${body.map(formatResponse).join(',')}]` : formatResponse(body));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
