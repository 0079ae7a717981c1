import { expect, test } from 'vitest';
import { publicContext } from './public-context.ts';

test('directories are remembered by the names one machine has for them, and asked by a worker that says who it is', () => {
  const context = publicContext({
    supabaseUrl: 'http://127.0.0.1:1',
    secretKey: 'secret',
    directories: [
      'https://facilitator.payai.network/',
      'mine=https://d.example/x402?limit=50',
      'https://d.example',
    ],
    baseUrl: 'https://touchstone.example',
    owner: 'test',
    onChanged: () => Promise.resolve(),
  });
  expect(context.directories).toEqual([
    { name: 'PayAI', url: 'https://facilitator.payai.network', pageSize: 100 },
    { name: 'mine', url: 'https://d.example/x402', pageSize: 50 },
    { name: 'https://d.example', url: 'https://d.example' },
  ]);
  expect(context.userAgent).toContain('https://touchstone.example');
});
