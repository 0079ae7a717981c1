import { readFileSync, writeFileSync } from 'node:fs';
import solc from 'solc';

// The cast is safe: the declarations of solc leave the module untyped.
const compiler = solc as { compile: (input: string) => string };

const CONTRACTS = ['SandboxUSDC', 'SandboxMulticall', 'SandboxSmartWallet'] as const;

interface Contract {
  readonly abi: readonly unknown[];
  readonly evm: { readonly deployedBytecode: { readonly object: string } };
}

/** Output of the compiler. The keys are the source name and, below it, the contract name. */
interface Output {
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
}

function readSource(name: string): string {
  return readFileSync(new URL(`../../contracts/${name}.sol`, import.meta.url), 'utf8');
}

/** Names of the token in contracts/SandboxUSDC.sol and on Base Sepolia, as Solidity literals. */
const TOKEN_NAME = '"USD Coin"';
const BASE_SEPOLIA_TOKEN_NAME = '"USDC"';

/**
 * Creates the source of the token for Base Sepolia, where the token has another name. Solidity cannot override a
 * constant such as the name.
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
 * @returns the text of `contracts.generated.ts`: the ABI of the token, and the runtime code of each contract. The token
 * has two runtime codes, because its name differs between networks.
 * @throws Error with the output of the compiler when the contracts do not compile
 */
export function compileContracts(): string {
  const text = compiler.compile(JSON.stringify(createCompilerInput()));
  const { contracts = {} } = JSON.parse(text) as Output;
  const find = (source: string, name: string = source): Contract => {
    const contract = contracts[source]?.[name];
    if (contract === undefined) throw new Error(`the contracts do not compile: ${text}`);
    return contract;
  };
  const format = (name: string, { evm }: Contract) =>
    `export const ${name} = '0x${evm.deployedBytecode.object}';`;
  return [
    '// Written by `npm run contracts -w @touchstone/sandbox` from the folder contracts.',
    `export const sandboxUsdcAbi = ${JSON.stringify(find('SandboxUSDC').abi)} as const;`,
    format('sandboxUsdcCode', find('SandboxUSDC')),
    format('baseSepoliaUsdcCode', find('BaseSepoliaUSDC', 'SandboxUSDC')),
    format('multicallCode', find('SandboxMulticall')),
    format('smartWalletCode', find('SandboxSmartWallet')),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(new URL('contracts.generated.ts', import.meta.url), compileContracts());
