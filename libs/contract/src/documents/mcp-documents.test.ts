import { describe, expect, it } from 'vitest';
import { createMcpServerCard, createRegistryEntry, toServerName } from './mcp-documents.ts';

const BASE = 'https://touchstone.example/anything?else';

describe('the MCP server card', () => {
  const card = createMcpServerCard(BASE);

  it('names the server and its URL', () => {
    expect(card).toMatchObject({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'example.touchstone/touchstone',
      title: 'Touchstone',
      version: '2.0.0',
      websiteUrl: 'https://touchstone.example/mcp',
      remotes: [{ type: 'streamable-http', url: 'https://touchstone.example/mcp' }],
    });
    expect(card).not.toHaveProperty('packages');
    // Server cards and registries limit the description.
    expect(card.description).toMatch(/^[\x20-\x7e]{1,100}$/);
  });
});

describe('the registry entry', () => {
  it('names the same server, and the package with the server over stdio', () => {
    const { $schema, version, packages, ...entry } = createRegistryEntry(BASE, '1.4.2');
    expect(createMcpServerCard(BASE)).toMatchObject(entry);
    expect([$schema, version]).toEqual([
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      '1.4.2',
    ]);
    expect(packages).toMatchObject([
      {
        registryType: 'npm',
        identifier: '@touchstone/cli',
        version: '1.4.2',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--service', value: 'https://touchstone.example' },
        ],
        environmentVariables: [{ name: 'TOUCHSTONE_KEY', isRequired: false, isSecret: true }],
      },
    ]);
  });
});

describe('toServerName', () => {
  it.each([
    ['https://touchstone.example', 'example.touchstone/touchstone'],
    ['https://api.touchstone.example:8443/v1', 'example.touchstone.api/touchstone'],
    ['http://localhost:3000', 'localhost/touchstone'],
    ['http://127.0.0.1:3000', '1.0.0.127/touchstone'],
    ['http://[::1]:3000', '1/touchstone'],
  ])('reverses the host of %s', (baseUrl, name) => {
    expect(toServerName(baseUrl)).toBe(name);
    expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });
});
