import { afterEach, describe, expect, test } from 'vitest';
import { ChainUnreadableError } from './index.ts';
import {
  createBusyChain,
  closeServers,
  listExpected,
  formatSettlements,
  HEAD,
  ORDER,
  serve,
} from './testing/busy-chain.ts';
import { AUTHORIZATION_TOPIC } from './evm/events.ts';
import { toTestAddress, createFakeChain, type FakeChain, type FakeLog } from './testing/fake-chain.ts';
import { readAll } from './testing/read-all.ts';
import { HANDLED, RpcError, type Misbehaviour } from './testing/rpc-server.ts';

afterEach(closeServers);

const blocksOf = (params: readonly unknown[]): number => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return Number(BigInt(toBlock) - BigInt(fromBlock)) + 1;
};
/** Misbehaves in its answers to eth_getLogs only. */
const onLogs =
  (misbehave: Misbehaviour): Misbehaviour =>
  (call, response, count) =>
    call.method === 'eth_getLogs' ? misbehave(call, response, count) : undefined;

describe('everything is read in spite of a provider that', () => {
  test.each<[string, Misbehaviour]>([
    [
      'refuses ranges',
      onLogs(({ params }) =>
        blocksOf(params) > 70 ? new RpcError(-32_000, 'block range too wide') : undefined,
      ),
    ],
    [
      'refuses all but five blocks',
      onLogs(({ params }) =>
        blocksOf(params) > 5 ? new RpcError(-32_602, 'limited to a 5 range') : undefined,
      ),
    ],
    [
      'answers 413 for ranges',
      onLogs(({ params }, response) => {
        if (blocksOf(params) <= 500) return undefined;
        response.writeHead(413).end('too large');
        return HANDLED;
      }),
    ],
    [
      'does not answer for ranges in time',
      onLogs(({ params }) => (blocksOf(params) > 800 ? HANDLED : undefined)),
    ],
    [
      'is asked too often',
      (_, response, request) => {
        if (request % 8 !== 1) return undefined;
        response.writeHead(429, { 'retry-after': '3' }).end('slow down');
        return HANDLED;
      },
    ],
    [
      'says in JSON that it is asked too often',
      (_, _response, request) =>
        request % 8 === 1 ? new RpcError(-32_005, 'rate limit exceeded') : undefined,
    ],
    [
      'answers HTML now and then',
      (_, response, request) => {
        if (request % 20 !== 5) return undefined;
        response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
        return HANDLED;
      },
    ],
    [
      'hangs up now and then',
      (_, response, request) => {
        if (request % 20 !== 5) return undefined;
        response.destroy();
        return HANDLED;
      },
    ],
  ])('%s', async (_, misbehave) => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, misbehave);
    const { settlements } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });

  test('caps its answers silently', async () => {
    const chain = createFakeChain({ head: 500 });
    for (let index = 0; index < 3_500; index += 1) {
      chain.add({
        block: index % 400,
        from: toTestAddress(50),
        to: toTestAddress(index % 40),
        amount: 1n + BigInt(index),
      });
    }
    const { providers } = await serve(
      chain,
      onLogs(({ method, params }) => (chain.answer(method, params) as FakeLog[]).slice(0, 1_000)),
    );
    const { settlements } = await readAll(providers, { ...ORDER, senderLookup: 'none' });
    expect(settlements).toHaveLength(3_500);
  });

  test('waits as long as it is asked to', async () => {
    const chain = createBusyChain();
    let asked = 0;
    const { providers, clock } = await serve(chain, (_, response) => {
      if ((asked += 1) !== 3) return undefined;
      response.writeHead(429, { 'retry-after': '7' }).end();
      return HANDLED;
    });
    await readAll(providers, ORDER);
    expect(clock.slept).toBe(7_000);
  });
});

describe('another provider is asked in place of one that', () => {
  const lie = (change: (logs: FakeLog[], params: readonly unknown[]) => unknown) => (chain: FakeChain) =>
    onLogs(({ method, params }) => change(chain.answer(method, params) as FakeLog[], params));
  const html: Misbehaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>');
    return HANDLED;
  };
  const from = (log: FakeLog): number => Number(log.blockNumber);
  const topicsOf = ([filter]: readonly unknown[]) =>
    (filter as { topics: readonly (string | readonly string[] | null)[] }).topics;
  const longestList = (params: readonly unknown[]): number =>
    Math.max(...topicsOf(params).map((topic) => (Array.isArray(topic) ? topic.length : 0)));
  const cutLists = (cut: (list: readonly string[]) => readonly string[]) => (chain: FakeChain) =>
    onLogs(({ method, params }) => {
      const topics = topicsOf(params).map((topic) =>
        topic === null || typeof topic === 'string' ? topic : cut(topic),
      );
      return chain.answer(method, [{ ...(params[0] as object), topics }]);
    });

  test.each<[string, (chain: FakeChain) => Misbehaviour]>([
    ['answers HTML', () => html],
    ['answers nothing', () => () => HANDLED],
    [
      'refuses the key',
      () => (_, response) => {
        response.writeHead(401).end('{}');
        return HANDLED;
      },
    ],
    [
      'wants a day of rest',
      () => (_, response) => {
        response.writeHead(429, { 'retry-after': '86400' }).end();
        return HANDLED;
      },
    ],
    [
      'redirects',
      () => (_, response) => {
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
        return HANDLED;
      },
    ],
    [
      'serves another chain',
      () =>
        ({ method }) =>
          method === 'eth_chainId' ? '0x1' : undefined,
    ],
    [
      'answers only the beginning of a range',
      lie((logs, params) => {
        const { fromBlock } = params[0] as { fromBlock: string };
        return logs.filter((log) => from(log) < Number(fromBlock) + 1_000);
      }),
    ],
    [
      'has forgotten the beginning of the chain',
      lie((logs, params) => (blocksOf(params) === 1 ? logs : logs.filter((log) => from(log) > 1_500))),
    ],
    [
      'forgets the middle of a range',
      lie((logs, params) =>
        blocksOf(params) === 1 ? logs : logs.filter((log) => from(log) < 1_200 || from(log) > 1_700),
      ),
    ],
    [
      'answers nothing for more than ten wallets',
      lie((logs, params) => (longestList(params) > 10 ? [] : logs)),
    ],
    ['takes only the first ten wallets', cutLists((list) => list.slice(0, 10))],
    ['takes only the last ten wallets', cutLists((list) => list.slice(-10))],
    [
      'keeps authorizations back',
      lie((logs) => logs.filter(({ topics: [event] }) => event !== AUTHORIZATION_TOPIC)),
    ],
    [
      'keeps the authorizations of a range back',
      lie((logs, params) =>
        logs.filter(({ topics: [event] }) => blocksOf(params) === 1 || event !== AUTHORIZATION_TOPIC),
      ),
    ],
    [
      'names other hashes in logs than in headers',
      lie((logs) => logs.map((log) => ({ ...log, blockHash: `0x${'77'.repeat(32)}` }))),
    ],
    [
      'names one block by two hashes',
      lie((logs) =>
        logs.flatMap((log) => [log, { ...log, logIndex: '0x7777', blockHash: `0x${'77'.repeat(32)}` }]),
      ),
    ],
    [
      'has other blocks than were asked for',
      (chain) =>
        ({ method }) =>
          method === 'eth_getBlockByNumber' ? chain.answer(method, ['0x1']) : undefined,
    ],
    [
      'names amounts of two words',
      lie((logs) => logs.map((log) => ({ ...log, data: `${log.data}${'00'.repeat(32)}` }))),
    ],
    [
      'promises more blocks than it has',
      () =>
        ({ method }, _response, request) =>
          method === 'eth_blockNumber' ? `0x${(HEAD - (request % 3) * 2 + 100).toString(16)}` : undefined,
    ],
  ])('%s', async (_, misbehaviour) => {
    const chain = createBusyChain();
    // The block at the end of what is read holds a transfer, as every block of a busy chain does.
    chain.add({ block: HEAD, from: toTestAddress(50), to: toTestAddress(5), amount: 9n });
    const { providers } = await serve(chain, misbehaviour(chain), null);
    const { settlements } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });

  test('is contradicted by another one: then neither is believed', async () => {
    const chain = createBusyChain();
    const paidTo = `0x${toTestAddress(4).slice(2).padStart(64, '0')}`;
    const withholding = lie((logs) => logs.filter(({ topics }) => topics[2] !== paidTo))(chain);
    const { providers } = await serve(chain, withholding, null);
    await expect(readAll(providers, ORDER)).rejects.toThrow(/has other logs of the blocks 0 to 3000/);
    // One that does not answer contradicts nobody, nor does one that does not have all that it is asked for.
    const forgetful = lie((logs, params) => (blocksOf(params) === 1 ? logs : logs.slice(-9)))(chain);
    for (const second of [html, forgetful]) {
      const { settlements } = await readAll((await serve(chain, null, second)).providers, ORDER);
      expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    }
  });

  test('cannot be read at all: then nothing is known, and no URL is told', async () => {
    const { providers } = await serve(
      createBusyChain(),
      html,
      () => new RpcError(-32_000, 'see https://rpc.test/SECRET-KEY'),
    );
    const failure: unknown = await readAll(providers, ORDER).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnreadableError);
    expect(String(failure)).toContain('provider 1 of 2 answered 200 with something that is not JSON');
    expect(
      JSON.stringify([failure, String(failure), failure instanceof Error ? failure.stack : '']),
    ).not.toMatch(/SECRET|127\.0\.0\.1:\d|rpc\.test/);
  });
});
