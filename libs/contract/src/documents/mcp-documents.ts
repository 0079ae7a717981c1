import { INTERFACE_VERSION, MCP_PATH, SERVICE } from '../shared/service.ts';

/** Description of the MCP server. Server cards and registries accept at most 100 characters. */
const DESCRIPTION = 'Trust scores, history, search and alerts for x402 endpoints. Check them before you pay.';

/** Name of the npm package that has the MCP server over stdio, as `touchstone mcp`. */
const CLI_PACKAGE = '@touchstone/cli';

/**
 * Creates the MCP server card of this service, by SEP-2127. The card describes the server to clients that are not
 * connected.
 */
export function createMcpServerCard(baseUrl: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...createIdentity(baseUrl, INTERFACE_VERSION),
  };
}

/**
 * Creates the file `server.json`. The operator uses this file to publish the service in the MCP registry. The file
 * names the remote server and the npm package with the server over stdio.
 *
 * @param packageVersion version of the npm package and of the registry entry
 */
export function createRegistryEntry(baseUrl: string, packageVersion: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...createIdentity(baseUrl, packageVersion),
    packages: [
      {
        registryType: 'npm',
        identifier: CLI_PACKAGE,
        version: packageVersion,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--service', value: new URL(baseUrl).origin },
        ],
        environmentVariables: [
          {
            name: 'TOUCHSTONE_KEY',
            description:
              'Private key of a wallet with USDC, which pays for paid tools. Without it, paid tools return their price.',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  };
}

function createIdentity(baseUrl: string, version: string) {
  const { origin } = new URL(baseUrl);
  return {
    name: toServerName(baseUrl),
    title: SERVICE.name,
    description: DESCRIPTION,
    version,
    websiteUrl: `${origin}${MCP_PATH}`,
    remotes: [{ type: 'streamable-http', url: `${origin}${MCP_PATH}` }],
  };
}

/**
 * Returns the name of the MCP server in reverse DNS form.
 *
 * @example `example.touchstone/touchstone` for `https://touchstone.example`
 */
export function toServerName(baseUrl: string): string {
  const labels = new URL(baseUrl).hostname.replace(/[^a-z0-9.-]/g, '').split('.');
  return `${labels
    .filter((label) => label !== '')
    .reverse()
    .join('.')}/${SERVICE.name.toLowerCase()}`;
}
