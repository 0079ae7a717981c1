import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { printTable, quantile, round } from './support/figures.ts';
import { startPaidFloor } from './support/paid-floor.ts';
import { freePort } from './support/processes.ts';
import { startSandboxService, type SandboxService } from './support/sandbox-service.ts';

/**
 * How long a paid report takes that needs no live probe, beside the smallest route that `withX402` of @x402/next can
 * sell, and whether two hundred buyers at once all get what they paid for, once. Run it with `npm run bench:paid`; it
 * takes some minutes.
 *
 * Both are Next servers on this machine, paid through the same facilitator on the same chain, asked in turns, each time
 * with a payment that was signed before the clock started. The floor keeps nothing: it would sell again for the same
 * signature, and loses what was paid when it dies.
 */
const TEMPLATE = 'https://profilehub.sandbox.test/v1/users/{userId}';
const WARM_UP = 20;
const ROUNDS = 200;
const BUYERS = 200;
const PRICE = 5_000n;
/** Whom the floor is paid to: anybody but the payer. */
const SOMEBODY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';

interface Shelf {
  readonly name: string;
  readonly url: string;
  readonly body: string;
}

type Wallet = ReturnType<typeof createWallet>;

function createWallet(key: `0x${string}`) {
  const account = privateKeyToAccount(key);
  const client = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)));
  return {
    address: account.address,
    /** The request with a payment of its own, signed for the challenge that is given now. */
    sign: async ({ url, body }: Shelf): Promise<RequestInit> => {
      const headers = { 'content-type': 'application/json' };
      const unpaid = await fetch(url, { method: 'POST', headers, body });
      const text = await unpaid.text();
      const challenge = client.getPaymentRequiredResponse(
        (name) => unpaid.headers.get(name),
        JSON.parse(text),
      );
      const payload = await client.createPaymentPayload(challenge);
      const paying = client.encodePaymentSignatureHeader(payload);
      return { method: 'POST', headers: { ...headers, ...paying }, body };
    },
  };
}

/** Milliseconds that a signed request takes to its last byte. */
async function timed(shelf: Shelf, wallet: Wallet): Promise<number> {
  const request = await wallet.sign(shelf);
  const started = performance.now();
  const answer = await fetch(shelf.url, request);
  const text = await answer.text();
  const took = performance.now() - started;
  if (!answer.ok) throw new Error(`${shelf.name} answered ${answer.status}: ${text}`);
  return took;
}

async function compare(shelves: readonly [Shelf, Shelf], wallet: Wallet): Promise<void> {
  const times = new Map(shelves.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Whoever is asked first in a round is asked second in the next.
    for (const shelf of round % 2 === 0 ? shelves : shelves.toReversed()) {
      const took = await timed(shelf, wallet);
      if (round >= WARM_UP) times.get(shelf.name)?.push(took);
    }
  }
  const rows = shelves.map(({ name }) => {
    const all = times.get(name) ?? [];
    return { name, p50: quantile(all, 0.5), p95: quantile(all, 0.95) };
  });
  printTable([
    ['', 'p50 ms', 'p95 ms'],
    ...rows.map(({ name, p50, p95 }) => [name, round(p50, 1), round(p95, 1)]),
  ]);
  const [ours, floor] = rows;
  if (ours && floor) {
    console.log(`  ratio: p50 ${round(ours.p50 / floor.p50, 2)}, p95 ${round(ours.p95 / floor.p95, 2)}`);
  }
}

/** Lists as how long they are. */
const lengths = (_: string, value: unknown): unknown => (Array.isArray(value) ? value.length : value);

/** All at once, each with a payment of its own; what was sold is compared with what the chain moved. */
async function crowd(shelf: Shelf, wallet: Wallet, { chain }: SandboxService): Promise<void> {
  const requests: RequestInit[] = [];
  for (let buyer = 0; buyer < BUYERS; buyer += 1) requests.push(await wallet.sign(shelf));
  const started = performance.now();
  const answers = await Promise.all(
    requests.map(async (request) => {
      const answer = await fetch(shelf.url, request);
      await answer.arrayBuffer();
      const receipt = answer.headers.get('payment-response') ?? '';
      const { transaction = '' } = JSON.parse(Buffer.from(receipt, 'base64').toString('utf8') || '{}') as {
        transaction?: string;
      };
      return { status: answer.status, transaction };
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const served = answers.filter(({ status }) => status === 200);
  const transactions = new Set(served.map(({ transaction }) => transaction));
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  let moved = 0n;
  for (const transaction of transactions) {
    const { logs } = await client.getTransactionReceipt({ hash: transaction as `0x${string}` });
    for (const { args } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })) {
      if (args.from.toLowerCase() === wallet.address.toLowerCase()) moved += args.value;
    }
  }
  const due = BigInt(served.length) * PRICE;
  console.log(
    `  ${BUYERS} buyers at once: ${served.length} served in ${round(seconds, 1)} s, ${transactions.size} transactions, ` +
      `${moved} atomic units paid, ${due} due: ${moved === due && served.length === BUYERS ? 'nothing lost, nothing paid twice' : 'WRONG'}`,
  );
  if (moved === due && served.length === BUYERS) return;
  console.log(
    `  statuses: ${JSON.stringify(
      Object.groupBy(answers, ({ status }) => status),
      lengths,
    )}`,
  );
  process.exitCode = 1;
}

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-bench-paid-'));
const service = await startSandboxService(dataDir, await freePort());
const wallet = createWallet(service.visitorKey);
const floor = await startPaidFloor(
  { X402_FACILITATOR_URL: service.chain.facilitatorUrl, X402_PAY_TO: SOMEBODY },
  await freePort(),
);
try {
  const report = {
    name: 'paid report, no live probe',
    url: `${service.url}/v1/x402-trust`,
    body: JSON.stringify({ resource: TEMPLATE }),
  };
  await compare([report, { name: 'smallest withX402 route', url: floor.url, body: '{}' }], wallet);
  await crowd(report, wallet, service);
} finally {
  await floor.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
