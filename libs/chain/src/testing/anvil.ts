import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import solc from 'solc';
import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { z } from 'zod';
import { createProvider } from '../rpc/provider.ts';
import { wordSchema } from '../evm/schemas.ts';
import { USDC } from './fake-chain.ts';

const TOKEN_ABI = parseAbi([
  'struct Payment { address from; address to; uint256 value; bool signed; }',
  'function pay(Payment[] payments)',
]);
/** Schema of the solc package, which has no type declarations. `compile` takes and returns JSON text. */
const compilerSchema = z.object({
  compile: z.custom<(input: string) => string>((value) => typeof value === 'function'),
});
const compiledSchema = z.object({
  contracts: z.object({
    'SettlingToken.sol': z.object({
      SettlingToken: z.object({
        evm: z.object({ deployedBytecode: z.object({ object: z.string().min(1) }) }),
      }),
    }),
  }),
});

/** Compiles `SettlingToken.sol` to deployed bytecode. */
function compileToken(): Hex {
  const content = readFileSync(new URL('SettlingToken.sol', import.meta.url), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { 'SettlingToken.sol': { content } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const { contracts } = compiledSchema.parse(
    JSON.parse(compilerSchema.parse(solc).compile(JSON.stringify(input))),
  );
  return `0x${contracts['SettlingToken.sol'].SettlingToken.evm.deployedBytecode.object}`;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Returns the path of the anvil program that npm installed for this platform; null when there is none. */
export function findAnvil(): string | null {
  const { platform, arch } = process;
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}/package.json`;
  try {
    const requireFromAnvil = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'));
    const file = join(
      dirname(requireFromAnvil.resolve(name)),
      'bin',
      platform === 'win32' ? 'anvil.exe' : 'anvil',
    );
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}

export interface TokenPayment {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly signed: boolean;
}

/**
 * Starts anvil with the chain id of Base and a test token at the address of USDC on Base. Blocks are mined on request
 * only.
 */
export async function startAnvil(binary: string) {
  const port = await findFreePort();
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', '8453', '--no-mining', '--quiet'];
  const child = spawn(binary, args, { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const rpc = createProvider({
    label: 'anvil',
    url,
    fetch,
    now: Date.now,
    sleep,
    timeoutMs: 20_000,
    maxBytes: 1e7,
  });
  const call = (method: string, ...params: unknown[]) => rpc.call(method, params, z.unknown());
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await call('eth_chainId').catch(() => null)) === '0x2105') break;
  }
  await call('anvil_setCode', USDC, compileToken());
  const [sender] = z.array(z.string()).parse(await call('eth_accounts'));

  /** Sends all payments in one transaction, which the next block contains. Returns the transaction hash. */
  const pay = async (...payments: TokenPayment[]): Promise<Hex> => {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'pay', args: [payments] });
    const transaction = { from: sender, to: USDC, data, gas: '0x1c9c380' };
    return wordSchema.parse(await call('eth_sendTransaction', transaction));
  };
  const mine = (blocks = 1) => call('anvil_mine', `0x${blocks.toString(16)}`);
  return { url, call, pay, mine, stop };
}
