import { expect, it } from 'vitest';
import { summarizeError } from './summarize-error.ts';

it('removes colors, source code, empty lines and foreign stack lines', () => {
  const message = [
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m).toBe(2)',
    '',
    'Expected: 2',
    'Received: \u001b[31m1\u001b[39m',
    '',
    "  3 | test('opens', () => {});",
    '> 4 | expect(1).toBe(2);',
    '    |           ^',
    '    at run (/workspace/node_modules/runner/index.js:1:1)',
    '    at /workspace/specs/a.spec.ts:4:36',
    '    at /workspace/specs/b.spec.ts:5:1',
  ].join('\n');
  expect(summarizeError(message)).toEqual([
    'Error: expect(received).toBe(2)',
    'Expected: 2',
    'Received: 1',
    'at /workspace/specs/a.spec.ts:4:36',
  ]);
});

it('limits the number of lines and their length', () => {
  const lines = summarizeError(Array.from({ length: 50 }, () => 'x'.repeat(1000)).join('\n'));
  expect(lines).toHaveLength(8);
  expect(lines[0]).toHaveLength(200);
});

it('returns no line for an empty message', () => {
  expect(summarizeError('')).toEqual([]);
});
