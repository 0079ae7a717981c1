import { DEFAULT_NETWORK } from '@touchstone/x402';

/**
 * Creates the shortest program that checks each payment with the guard. The same program is in docs/guard.md, where a
 * test checks its types.
 *
 * @param baseUrl Public origin of the service, without a path.
 */
export function createGuardExample(baseUrl: string): string {
  return [
    `import { readFileSync } from 'node:fs';`,
    `import { createGuard } from '@touchstone/guard';`,
    `import { ExactEvmScheme } from '@x402/evm';`,
    `import { wrapFetchWithPayment, x402Client } from '@x402/fetch';`,
    `import { privateKeyToAccount } from 'viem/accounts';`,
    ``,
    `const account = privateKeyToAccount(process.env['PRIVATE_KEY'] as \`0x\${string}\`);`,
    `const client = new x402Client().register('${DEFAULT_NETWORK}', new ExactEvmScheme(account));`,
    ``,
    `const { keys } = JSON.parse(readFileSync('touchstone-keys.json', 'utf8'));`,
    `const guard = createGuard({ service: '${baseUrl}', keys });`,
    `export const fetchAndPay = wrapFetchWithPayment(guard.wrapFetch(fetch), client);`,
  ].join('\n');
}

/** Creates the shell commands that install the guard and store the public keys of the service. */
export function createGuardSetup(baseUrl: string): string {
  return [
    `npm install @touchstone/guard @x402/fetch @x402/evm viem`,
    `curl -fo touchstone-keys.json ${baseUrl}/.well-known/touchstone-keys.json`,
  ].join('\n');
}
