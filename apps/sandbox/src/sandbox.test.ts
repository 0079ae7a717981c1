import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from './http/loopback.ts';
import { openPaymentSystem } from './payments/payment-system.ts';
import { createTemporaryFolder, openTestSandbox } from './testing/test-sandbox.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

test('a sandbox keeps its authority, seed and epoch at a restart', async () => {
  const first = await openTestSandbox({ dataDir: folder.path, seed: 'mine', epoch: null });
  const { epoch, caFile } = first.ready;
  const readFiles = () =>
    Promise.all([caFile, join(folder.path, 'world.json')].map((file) => readFile(file, 'utf8')));
  const before = await readFiles();
  await first.close();
  const second = await openTestSandbox({ dataDir: folder.path, epoch: null });
  expect(second.ready).toMatchObject({ epoch, caFile });
  expect(await readFiles()).toEqual(before);
  await second.close();
});

describe('a start fails', () => {
  test.each([
    ['SANDBOX_TLS_PORT', 'tlsPort'],
    ['SANDBOX_DIRECTORY_PORT', 'directoryPort'],
    ['SANDBOX_CONTROL_PORT', 'controlPort'],
    ['SANDBOX_RECEIVER_PORT', 'receiverPort'],
    ['SANDBOX_FACILITATOR_PORT', 'facilitatorPort'],
  ] as const)('when a %s is in use', async (setting, member) => {
    const other = createServer();
    const port = await listenOnLoopback(other, 'PORT', 0);
    // The facilitator listens only if there are chains.
    const opening = openTestSandbox({ chain: member === 'facilitatorPort', [member]: port });
    await expect(opening).rejects.toThrow(`${setting}: port ${port} on 127.0.0.1 is already in use`);
    other.close();
  });

  test('when a data folder cannot be created or written', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const dataDir = join(file, 'world');
    await expect(openTestSandbox({ dataDir })).rejects.toThrow('SANDBOX_DATA_DIR: cannot create');
    await expect(openTestSandbox({ dataDir: file })).rejects.toThrow(file);
  });
});

describe('without a chain', () => {
  test.each([
    ['on an unsupported platform', null, /^no chain: [^\n]+$/],
    ['when the chain does not start', '/', /^no chain, so endpoints cannot be paid: [^\n]+$/],
  ])('the reason is one line, %s', async (_, binary, reason) => {
    const times = { epoch: 0, now: Date.now };
    const options = { endpoints: [], seed: 'seed', dataDir: folder.path, warn: () => undefined };
    expect(await openPaymentSystem({ ...options, ...times, binary })).toEqual({
      unavailable: expect.stringMatching(reason) as string,
    });
  });

  test('endpoints still send challenges, and the ready message has the reason', async () => {
    const sandbox = await openTestSandbox();
    expect(sandbox.ready).toMatchObject({ chainRpcUrls: null, facilitatorUrl: null, ledgerFile: null });
    expect(sandbox.ready.chainMissing).toContain('SANDBOX_CHAIN is off');
    expect(await sandbox.request('https://skyfall.sandbox.test/v2/current')).toMatchObject({ status: 402 });
    const agents = await fetch(`${sandbox.ready.controlUrl}/agents`);
    expect(await agents.json()).toEqual({ paidThrough: null });
    await sandbox.close();
  });
});
