/**
 * Returns true if the service runs on the machine of the reader. The reader then has a clone of this repository, and the
 * npm packages may not exist yet.
 */
export function isOnThisMachine(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}

/**
 * Program of a command in a clone of this repository. `--no-install` matters in another folder: npm would otherwise
 * install and run any package that has the name `touchstone`.
 */
const CLONE_PROGRAM = ['npx', '--no-install', 'touchstone'] as const;

/**
 * Formats a CLI command without an option for the service. In a clone of this repository, the command must run in the
 * folder of the clone.
 *
 * @param baseUrl Public origin of the service that shows the command. A loopback URL means a clone.
 * @param words Words of the command after the program name, quoted for the shell.
 */
export function formatCommand(baseUrl: string, words: readonly string[]): string {
  const program = isOnThisMachine(baseUrl) ? CLONE_PROGRAM : ['npx', '@touchstone/cli'];
  return [...program, ...words].join(' ');
}

/**
 * Formats a CLI command that uses the service at `baseUrl`. A loopback URL means the sandbox.
 *
 * @param words Words of the command after the program name, quoted for the shell.
 */
export function formatCliCommand(baseUrl: string, words: readonly string[]): string {
  const service = isOnThisMachine(baseUrl) ? ['--sandbox'] : ['--service', baseUrl];
  return formatCommand(baseUrl, [...words, ...service]);
}

/**
 * Returns true for the host of an endpoint of the sandbox. RFC 6761 reserves the domain `test`, so no other endpoint has
 * such a host.
 */
export function isSimulatedHost(host: string): boolean {
  return host.endsWith('.sandbox.test');
}

/**
 * Formats the command that checks the payment challenge of an endpoint. The command sends no request to a public
 * service, and the sandbox has no address for the host of a real endpoint, so both need no option for the service.
 *
 * @param url URL of the endpoint or a placeholder such as `URL`, quoted for the shell.
 */
export function formatLintCommand(baseUrl: string, url: string): string {
  const host = URL.parse(url.replaceAll(/^'|'$/g, ''))?.hostname;
  const isReal = host !== undefined && !isSimulatedHost(host);
  return isOnThisMachine(baseUrl) && !isReal
    ? formatCliCommand(baseUrl, ['lint', url])
    : formatCommand(baseUrl, ['lint', url]);
}

/** Limits of the local MCP server in all samples, in US dollars. */
const LIMITS = ['--max-usd', '0.50', '--max-total-usd', '1'];

/** Folder of the clone in samples that run in another folder. */
export const CLONE_FOLDER = '/path/to/touchstone';

/**
 * Returns the words of the command that starts the local MCP server: from npm with limits, or in a clone of this
 * repository with the sandbox.
 *
 * @param cloneFolder Folder of the clone, for a client that starts the server in another folder.
 */
export function listServerWords(baseUrl: string, cloneFolder?: string): readonly [string, ...string[]] {
  const [npx, ...program] = CLONE_PROGRAM;
  if (!isOnThisMachine(baseUrl))
    return [npx, '-y', '@touchstone/cli', 'mcp', '--service', baseUrl, ...LIMITS];
  const server = [...program, 'mcp', '--sandbox'];
  return cloneFolder === undefined
    ? [npx, ...server]
    : [npx, '--prefix', cloneFolder, ...server, '--data-dir', `${cloneFolder}/.touchstone`];
}
