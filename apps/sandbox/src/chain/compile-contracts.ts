import { readFileSync } from 'node:fs';
import solc from 'solc';
import { z } from 'zod';

const CONTRACTS = ['SandboxUSDC', 'SandboxMulticall', 'SandboxSmartWallet'] as const;

const contractSchema = z.object({
  abi: z.array(z.unknown()),
  evm: z.object({ deployedBytecode: z.object({ object: z.string().regex(/^[0-9a-f]+$/) }) }),
});
const outputSchema = z.object({
  contracts: z.object({
    SandboxUSDC: z.object({ SandboxUSDC: contractSchema }),
    BaseSepoliaUSDC: z.object({ SandboxUSDC: contractSchema }),
    SandboxMulticall: z.object({ SandboxMulticall: contractSchema }),
    SandboxSmartWallet: z.object({ SandboxSmartWallet: contractSchema }),
  }),
});
/** Schema of the solc module. It gives the function `compile` a type, because solc's declarations leave it untyped. */
const compilerSchema = z.object({ compile: z.function({ input: [z.string()], output: z.string() }) });

function readSource(name: string): string {
  return readFileSync(new URL(`../../contracts/${name}.sol`, import.meta.url), 'utf8');
}

/** Names of the token in contracts/SandboxUSDC.sol and on Base Sepolia, as Solidity literals. */
const TOKEN_NAME = '"USD Coin"';
const BASE_SEPOLIA_TOKEN_NAME = '"USDC"';

/**
 * Creates the source of the token with its name on Base Sepolia. The name is a constant, which Solidity cannot override.
 */
function createBaseSepoliaToken(): string {
  const [before, after, ...more] = readSource('SandboxUSDC').split(TOKEN_NAME);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`contracts/SandboxUSDC.sol must contain ${TOKEN_NAME} exactly once`);
  return before + BASE_SEPOLIA_TOKEN_NAME + after;
}

function createCompilerInput() {
  return {
    language: 'Solidity',
    sources: {
      ...Object.fromEntries(CONTRACTS.map((name) => [name, { content: readSource(name) }])),
      BaseSepoliaUSDC: { content: createBaseSepoliaToken() },
    },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      // Omits the hash of the sources from the bytecode, because that hash changes with every edit of a comment.
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
    },
  };
}

/**
 * Compiles the Solidity contracts in the folder `contracts`.
 * @returns the text of `contracts.generated.ts`: the token's ABI, and the runtime code of each contract. The token has two
 * codes, which differ in its name
 * @throws Error with the compiler's output when the contracts do not compile
 */
export function compileContracts(): string {
  const output = compilerSchema.parse(solc).compile(JSON.stringify(createCompilerInput()));
  const compiled = outputSchema.safeParse(JSON.parse(output));
  if (!compiled.success) throw new Error(`the contracts do not compile: ${output}`);
  const { SandboxUSDC, BaseSepoliaUSDC, SandboxMulticall, SandboxSmartWallet } = compiled.data.contracts;
  const token = SandboxUSDC.SandboxUSDC;
  const baseSepoliaToken = BaseSepoliaUSDC.SandboxUSDC;
  const wallet = SandboxSmartWallet.SandboxSmartWallet;
  return [
    '// Written by `npm run contracts -w @touchstone/sandbox` from the folder contracts.',
    `export const sandboxUsdcAbi = ${JSON.stringify(token.abi)} as const;`,
    `export const sandboxUsdcCode = '0x${token.evm.deployedBytecode.object}';`,
    `export const baseSepoliaUsdcCode = '0x${baseSepoliaToken.evm.deployedBytecode.object}';`,
    `export const multicallCode = '0x${SandboxMulticall.SandboxMulticall.evm.deployedBytecode.object}';`,
    `export const smartWalletCode = '0x${wallet.evm.deployedBytecode.object}';`,
    '',
  ].join('\n');
}
