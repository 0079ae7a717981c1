import { DEFAULT_NETWORK } from '@touchstone/x402';
import { CLONE_FOLDER, isOnThisMachine } from '../../operations/documents/cli-command.ts';

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

/**
 * Creates the shell commands that install the guard in the project of the reader, and store the public keys of the
 * service. For a service on the machine of the reader, the guard is packed in the clone of this repository.
 */
export function createGuardSetup(baseUrl: string): string {
  const isClone = isOnThisMachine(baseUrl);
  const guard = isClone ? `${CLONE_FOLDER}/dist/packages/guard` : '@touchstone/guard';
  return [
    ...(isClone
      ? [
          `# In your own project. Replace ${CLONE_FOLDER} with the folder of this repository.`,
          `npm --prefix ${CLONE_FOLDER} run pack`,
        ]
      : []),
    `npm install ${guard} @x402/fetch @x402/evm viem`,
    `curl -fo touchstone-keys.json ${baseUrl}/.well-known/touchstone-keys.json`,
  ].join('\n');
}
