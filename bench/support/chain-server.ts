import { createServer } from 'node:http';
import { createLogSource, createReceiptSource, HEAD, headerJson, senderJson } from './generated-chain.ts';

/** A node that serves the generated chain, in a process of its own. Sends its port when it is ready. */
const getLogs = createLogSource();
const getReceipt = createReceiptSource();

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function resultOf({ method, params: [first] }: Question): string {
  if (method === 'eth_chainId') return '"0x2105"';
  if (method === 'eth_blockNumber') return JSON.stringify(`0x${HEAD.toString(16)}`);
  if (method === 'eth_getBlockByNumber') return headerJson(Number(first));
  // The readers that are measured send a filter here.
  if (method === 'eth_getLogs') return getLogs(first as Parameters<typeof getLogs>[0]);
  if (method === 'eth_getTransactionByHash') return senderJson(String(first));
  if (method === 'eth_getTransactionReceipt') return getReceipt(String(first));
  throw new Error(`nobody is to ask for ${method}`);
}

const answer = (question: Question): string =>
  `{"jsonrpc":"2.0","id":${question.id},"result":${resultOf(question)}}`;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    // The same.
    const body = JSON.parse(text) as Question | Question[];
    response.setHeader('content-type', 'application/json');
    response.end(Array.isArray(body) ? `[${body.map(answer).join(',')}]` : answer(body));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
