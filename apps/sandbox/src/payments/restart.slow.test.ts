import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createRpc } from '../chain/rpc.ts';
import { readySchema, type SandboxReady } from '../start-sandbox.ts';
import { toIsoTime, createTemporaryFolder, TEST_EPOCH } from '../testing/test-sandbox.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const agentsSchema = z.object({ paidThrough: z.iso.datetime() });
const entrySchema = z.object({
  network: z.string(),
  endpoint: z.string(),
  amount: z.string(),
  payer: z.string(),
  nonce: z.string(),
  transaction: z.string(),
});

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
const children: ChildProcess[] = [];
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

async function start(): Promise<{ child: ChildProcess; ready: SandboxReady }> {
  const env = { SANDBOX_DATA_DIR: folder.path, SANDBOX_EPOCH: TEST_EPOCH };
  const child = fork(MAIN, { execArgv: [], env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  const messages: unknown[] = await once(child, 'message');
  return { child, ready: readySchema.parse(messages[0]) };
}

function setClock({ controlUrl }: SandboxReady, at: string) {
  return fetch(`${controlUrl}/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ at }),
  });
}

async function readPaidThrough({ controlUrl }: SandboxReady): Promise<number> {
  return Date.parse(agentsSchema.parse(await (await fetch(`${controlUrl}/agents`)).json()).paidThrough);
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

function connectToChains({ chainRpcUrls }: SandboxReady) {
  return Object.values(chainRpcUrls ?? {}).map(createRpc);
}

/** Returns the latest block of each chain; null for a chain whose process has exited. */
function readLatestBlocks(ready: SandboxReady) {
  return Promise.all(
    connectToChains(ready).map((rpc) =>
      rpc.call('eth_getBlockByNumber', ['latest', false]).catch(() => null),
    ),
  );
}

async function readLedger() {
  const lines = (await readFile(join(folder.path, 'ledger.jsonl'), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => entrySchema.parse(JSON.parse(line)));
}

/** Counts the settlements on all chains. */
async function countAuthorizations(ready: SandboxReady): Promise<number> {
  const topics = ['0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'];
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics };
  const logs = await Promise.all(connectToChains(ready).map((rpc) => rpc.call('eth_getLogs', [filter])));
  return z.array(z.array(z.unknown())).parse(logs).flat().length;
}

test(
  'after a kill during payments, the chain processes exit and the next start continues',
  {
    timeout: 180_000,
  },
  async () => {
    const first = await start();
    await setClock(first.ready, toIsoTime(1));
    await waitUntil(async () => (await readPaidThrough(first.ready)) > Date.parse(toIsoTime(0.4)));
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await waitUntil(async () => (await readLatestBlocks(first.ready)).every((block) => block === null));

    const second = await start();
    expect(await countAuthorizations(second.ready)).toBe((await readLedger()).length);
    await setClock(second.ready, toIsoTime(1));
    await waitUntil(async () => (await readPaidThrough(second.ready)) > Date.parse(toIsoTime(1)) - 1_000);
    const entries = await readLedger();
    expect(new Set(entries.map(({ payer, nonce }) => payer + nonce)).size).toBe(entries.length);
    expect(await countAuthorizations(second.ready)).toBe(entries.length);
    const before = await readLatestBlocks(second.ready);
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');

    // Three ledger entries are removed and recorded as pending payments. The next start must restore them from the
    // chain.
    const lost = entries.slice(-3);
    const file = join(folder.path, 'ledger.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    await writeFile(
      file,
      lines
        .slice(0, -3)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await appendFile(
      join(folder.path, 'promises.jsonl'),
      lines
        .slice(-3)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const third = await start();
    expect(await readLatestBlocks(third.ready)).toEqual(before);
    expect((await readLedger()).slice(-3)).toEqual(lost);
  },
);
