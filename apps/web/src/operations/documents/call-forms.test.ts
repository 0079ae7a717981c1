import { execFileSync } from 'node:child_process';
import { OPERATIONS, TOOLS, toToolRequest } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createReportCalls, type CallForm } from './call-forms.ts';

const options = { baseUrl: 'https://touchstone.example', network: 'eip155:8453' };
const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.number(),
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

const createCalls = (resource: string, overrides: Partial<typeof options> = {}) => {
  const operation = OPERATIONS.find(({ id }) => id === 'getTrustReport');
  if (operation === undefined) throw new Error('The contract has no operation getTrustReport');
  return createReportCalls(operation, { ...options, ...overrides, resource });
};
const getCode = (calls: readonly CallForm[], name: CallForm['name']): string =>
  calls.find((call) => call.name === name)?.code ?? '';

/** Runs a command with a function instead of `npx`, and returns its arguments. */
const runCommand = (command: string): readonly string[] =>
  execFileSync('sh', ['-c', `npx() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('createReportCalls', () => {
  const resource = `https://example.com/'; touch /tmp/oops; echo '$(id)\`id\``;

  it('buys the report with the CLI, and quotes an untrusted URL as one word of the shell', () => {
    expect(runCommand(getCode(createCalls(resource), 'CLI'))).toEqual([
      '@touchstone/cli',
      'buy',
      'trust',
      resource,
      '--service',
      'https://touchstone.example',
    ]);
  });

  it('names a payment network other than the default of the CLI', () => {
    expect(getCode(createCalls(resource, { network: 'eip155:84532' }), 'CLI')).toContain(
      '--network eip155:84532',
    );
  });

  it('uses the sandbox if the service runs on the machine of the reader', () => {
    const calls = createCalls(resource, { baseUrl: 'http://localhost:3000' });
    expect(runCommand(getCode(calls, 'CLI'))).toEqual([
      '--no-install',
      'touchstone',
      'buy',
      'trust',
      resource,
      '--sandbox',
    ]);
  });

  it('calls the MCP tool that requests the report', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { params } = messageSchema.parse(JSON.parse(getCode(createCalls(url), 'MCP')));
        const tool = TOOLS.find(({ name }) => name === params.name);
        if (tool === undefined) throw new Error(`No tool is named ${params.name}`);
        const request = toToolRequest(tool, tool.input.parse(params.arguments));
        expect(request).toMatchObject({ path: '/v1/x402-trust', body: { resource: url } });
      }),
    );
  });
});
