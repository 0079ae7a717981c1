import { expect, test } from 'vitest';
import { createPublicContext } from './create-public-context.ts';

test('uses the directory names of the one-machine service and a User-Agent with the base URL', () => {
  const context = createPublicContext({
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
