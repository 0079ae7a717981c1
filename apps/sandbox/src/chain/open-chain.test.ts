import { expect, test } from 'vitest';
import { getAnvilBinary, TEST_GENESIS } from '../testing/test-chain.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { createBalanceReader, createMintCall } from './chain-access.ts';
import { BASE } from './network.ts';
import { openChain } from './open-chain.ts';

const RECIPIENT = '0x00000000000000000000000000000000000000b1';

test('a chain mines concurrent requests in order, and has the same blocks after a restart', async () => {
  const folder = await createTemporaryFolder();
  const open = async () => {
    const chain = await openChain({
      network: BASE,
      binary: getAnvilBinary(),
      dataDir: folder.path,
      genesis: TEST_GENESIS,
      gasPayers: [],
      smartWallets: [],
      checkpointEvery: 2,
    });
    const readTip = () => chain.rpc.call('eth_getBlockByNumber', ['latest', false]);
    return { chain, readTip, readBalance: () => createBalanceReader(chain)(RECIPIENT) };
  };
  const first = await open();
  const mined = await Promise.all(
    [1n, 2n, 3n].map((value) =>
      first.chain.mine({
        at: TEST_GENESIS + 60,
        unsigned: [createMintCall(BASE, RECIPIENT, value)],
        signed: [],
      }),
    ),
  );
  expect(mined.map(({ at, results: { length } }) => [at - TEST_GENESIS, length])).toEqual([
    [60, 1],
    [60, 1],
    [60, 1],
  ]);
  expect([first.chain.head(), await first.readBalance()]).toEqual([{ number: 3, at: TEST_GENESIS + 60 }, 6n]);
  const { rejection, results } = await first.chain.mine({
    at: 0,
    unsigned: [{ ...createMintCall(BASE, RECIPIENT, 1n), from: RECIPIENT }],
    signed: ['0x1234'],
  });
  expect(results.map(({ succeeded }) => succeeded)).toEqual([false]);
  expect(rejection?.message).toContain('eth_sendRawTransaction');
  const tip = await first.readTip();
  first.chain.stop();
  await first.chain.ended;

  const second = await open();
  expect([await second.readTip(), await second.readBalance()]).toEqual([tip, 6n]);
  second.chain.stop();
  await second.chain.ended;
  await folder.remove();
});
