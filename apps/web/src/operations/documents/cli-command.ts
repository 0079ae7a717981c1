/** Returns true if the service runs on the machine of the reader. The npm packages then may not exist yet. */
export function isOnThisMachine(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}

/**
 * Formats a CLI command that uses the service at `baseUrl`. A loopback URL means the sandbox. The command for the
 * sandbox must run in the folder of this repository.
 *
 * @param words Words of the command after the program name, quoted for the shell.
 */
export function formatCliCommand(baseUrl: string, words: readonly string[]): string {
  return isOnThisMachine(baseUrl)
    ? ['npx touchstone', ...words, '--sandbox'].join(' ')
    : ['npx @touchstone/cli', ...words, '--service', baseUrl].join(' ');
}

/**
 * Formats the command that checks the payment challenge of an endpoint. On a public service, the command has no option
 * for the service, because this command sends no request to the service.
 *
 * @param url URL of the endpoint, quoted for the shell.
 */
export function formatLintCommand(baseUrl: string, url: string): string {
  return isOnThisMachine(baseUrl)
    ? formatCliCommand(baseUrl, ['lint', url])
    : ['npx @touchstone/cli', 'lint', url].join(' ');
}
