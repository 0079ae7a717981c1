import { expect, it } from 'vitest';
import { readTrace } from './trace-options.ts';

const BASE = 'eip155:8453=https://rpc.example.com/key=1';

it.each([
  [{ trace: true }, 'service'],
  [{ trace: false }, false],
  [
    { trace: true, rpc: [BASE, 'polygon=http://127.0.0.1:8545'] },
    { rpc: { 'eip155:8453': 'https://rpc.example.com/key=1', 'eip155:137': 'http://127.0.0.1:8545' } },
  ],
])('reads %j', (options, expected) => {
  expect(readTrace(options)).toEqual(expected);
});

it.each([
  [{ trace: false, rpc: [BASE] }, /--no-trace/],
  [{ trace: true, rpc: ['https://rpc.example.com'] }, /EVM network and the URL/],
  [{ trace: true, rpc: ['solana=https://rpc.example.com'] }, /EVM network and the URL/],
  [{ trace: true, rpc: ['eip155:8453=rpc.example.com'] }, /EVM network and the URL/],
])('refuses %j', (options, message) => {
  expect(() => readTrace(options)).toThrow(message);
});
