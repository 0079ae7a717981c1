import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ChainUnreadableError } from './index.ts';
import {
  createBusyChain,
  listExpected,
  formatSettlements,
  HEAD,
  ORDER,
  serve,
} from './testing/busy-chain.ts';
import { AUTHORIZATION_TOPIC } from './evm/logs.ts';
import { toTestAddress, createFakeChain, type FakeChain, type FakeLog } from './testing/fake-chain.ts';
import { readAll, TIMEOUT_MS } from './testing/read-all.ts';
import { HANDLED, RpcError, type Misbehaviour } from './testing/rpc-server.ts';

const HTML = { 'content-type': 'text/html' };
const countBlocks = (params: readonly unknown[]): number => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return Number(BigInt(toBlock) - BigInt(fromBlock)) + 1;
};
/** Creates a provider fault (`Misbehaviour`) that sends an HTTP response. */
const send =
  (status: number, headers: Record<string, string> = {}, body = ''): Misbehaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return HANDLED;
  };
/** Applies a provider fault only to requests whose number has the remainder `nth` when divided by `every`. */
const sometimes =
  (every: number, nth: number, misbehave: Misbehaviour): Misbehaviour =>
  (call, response, request) =>
    request % every === nth ? misbehave(call, response, request) : undefined;

let timeout = new AbortController();
/** Leaves a request unanswered, and lets it time out immediately. */
const leaveUnanswered: Misbehaviour = () => {
  timeout.abort(new DOMException('', 'TimeoutError'));
  return HANDLED;
};
beforeEach(() => {
  const startTimeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(TIMEOUT_MS);
    timeout = new AbortController();
    return timeout.signal;
  });
  return () => startTimeout.mockRestore();
});

/** Applies a provider fault only to calls of `eth_getLogs`. */
const onLogs =
  (misbehave: Misbehaviour): Misbehaviour =>
  (call, response, count) =>
    call.method === 'eth_getLogs' ? misbehave(call, response, count) : undefined;

describe('every payment is read from a provider that', () => {
  test.each<[string, Misbehaviour]>([
    [
      'refuses ranges',
      onLogs(({ params }) =>
        countBlocks(params) > 70 ? new RpcError(-32_000, 'block range too wide') : undefined,
      ),
    ],
    [
      'responds 413 to ranges',
      onLogs((call, ...rest) => (countBlocks(call.params) > 500 ? send(413)(call, ...rest) : undefined)),
    ],
    [
      'times out on ranges',
      onLogs((call, ...rest) =>
        countBlocks(call.params) > 800 ? leaveUnanswered(call, ...rest) : undefined,
      ),
    ],
    ['responds 429', sometimes(8, 1, send(429, { 'retry-after': '3' }, 'slow down'))],
    [
      'reports a rate limit as a JSON-RPC error',
      sometimes(8, 1, () => new RpcError(-32_005, 'rate limit exceeded')),
    ],
    [
      'reports a temporary failure as a JSON-RPC error with status 503',
      sometimes(
        9,
        5,
        send(503, {}, '{"jsonrpc":"2.0","error":{"code":-32011,"message":"no backend"},"id":1}'),
      ),
    ],
    ['sometimes lacks the last block', sometimes(9, 5, () => new RpcError(-32_000, 'header not found'))],
    [
      'is unavailable for large ranges',
      onLogs(({ params }) => (countBlocks(params) > 800 ? new RpcError(-32_011, 'no backend') : undefined)),
    ],
    ['sometimes responds with HTML', sometimes(20, 5, send(502, HTML, '<html>Bad gateway</html>'))],
    [
      'sometimes closes the connection',
      sometimes(20, 5, (_, response) => {
        response.destroy();
        return HANDLED;
      }),
    ],
  ])('%s', async (_, misbehave) => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, misbehave);
    const { settlements } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });

  test('silently truncates its results', async () => {
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
      onLogs(({ method, params }) => (chain.respond(method, params) as FakeLog[]).slice(0, 1_000)),
    );
    const { settlements } = await readAll(providers, ORDER);
    expect(settlements).toHaveLength(3_500);
  });

  test('adds the time to some logs of a block only', async () => {
    const chain = createFakeChain({ head: 20 });
    for (const index of [1, 2, 3])
      chain.add({ block: 9, from: toTestAddress(50), to: toTestAddress(index), amount: BigInt(index) });
    const { providers } = await serve(
      chain,
      onLogs(({ method, params }) =>
        (chain.respond(method, params) as FakeLog[]).map((log, at) =>
          at === 1 ? { ...log, blockTimestamp: '0x0' } : log,
        ),
      ),
    );
    const { settlements } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });

  test('requests a pause: no request is sent before it ends', async () => {
    const chain = createBusyChain();
    const { providers, clock } = await serve(chain, sometimes(1_000, 3, send(429, { 'retry-after': '7' })));
    await readAll(providers, ORDER);
    expect(clock.slept).toBe(7_000);
  });
});

describe('another provider is used instead of one that', () => {
  const changeLogs =
    (change: (logs: FakeLog[], params: readonly unknown[]) => unknown) => (chain: FakeChain) =>
      onLogs(({ method, params }) => change(chain.respond(method, params) as FakeLog[], params));
  const html = send(200, HTML, '<html>welcome</html>');
  const toBlock = (log: FakeLog): number => Number(log.blockNumber);
  const readTopics = ([filter]: readonly unknown[]) =>
    (filter as { topics: readonly (string | readonly string[] | null)[] }).topics;
  const longestList = (params: readonly unknown[]): number =>
    Math.max(...readTopics(params).map((topic) => (Array.isArray(topic) ? topic.length : 0)));
  const cutLists = (cut: (list: readonly string[]) => readonly string[]) => (chain: FakeChain) =>
    onLogs(({ method, params }) => {
      const topics = readTopics(params).map((topic) =>
        topic === null || typeof topic === 'string' ? topic : cut(topic),
      );
      return chain.respond(method, [{ ...(params[0] as object), topics }]);
    });

  test.each<[string, (chain: FakeChain) => Misbehaviour]>([
    ['responds with HTML', () => html],
    ['does not respond', () => leaveUnanswered],
    ['rejects the API key', () => send(401, {}, '{}')],
    ['requests a pause of one day', () => send(429, { 'retry-after': '86400' })],
    ['redirects', () => send(302, { location: 'http://127.0.0.1:1/' })],
    [
      'serves another chain',
      () =>
        ({ method }) =>
          method === 'eth_chainId' ? '0x1' : undefined,
    ],
    [
      'returns only the beginning of a range',
      changeLogs((logs, params) => {
        const { fromBlock } = params[0] as { fromBlock: string };
        return logs.filter((log) => toBlock(log) < Number(fromBlock) + 1_000);
      }),
    ],
    [
      'lacks the beginning of the chain',
      changeLogs((logs, params) =>
        countBlocks(params) === 1 ? logs : logs.filter((log) => toBlock(log) > 1_500),
      ),
    ],
    [
      'omits the middle of a range',
      changeLogs((logs, params) =>
        countBlocks(params) === 1 ? logs : logs.filter((log) => toBlock(log) < 1_200 || toBlock(log) > 1_700),
      ),
    ],
    [
      'returns nothing for more than ten wallets',
      changeLogs((logs, params) => (longestList(params) > 10 ? [] : logs)),
    ],
    ['uses only the first ten wallets', cutLists((list) => list.slice(0, 10))],
    ['uses only the last ten wallets', cutLists((list) => list.slice(-10))],
    [
      'omits authorizations',
      changeLogs((logs) => logs.filter(({ topics: [event] }) => event !== AUTHORIZATION_TOPIC)),
    ],
    [
      'omits the authorizations of a range',
      changeLogs((logs, params) =>
        logs.filter(({ topics: [event] }) => countBlocks(params) === 1 || event !== AUTHORIZATION_TOPIC),
      ),
    ],
    [
      'has different hashes in logs and headers',
      changeLogs((logs) => logs.map((log) => ({ ...log, blockHash: `0x${'77'.repeat(32)}` }))),
    ],
    [
      'has two hashes for one block',
      changeLogs((logs) =>
        logs.flatMap((log) => [log, { ...log, logIndex: '0x7777', blockHash: `0x${'77'.repeat(32)}` }]),
      ),
    ],
    [
      'returns other blocks than requested',
      (chain) =>
        ({ method }) =>
          method === 'eth_getBlockByNumber' ? chain.respond(method, ['0x1']) : undefined,
    ],
    [
      'returns amounts of 64 bytes',
      changeLogs((logs) => logs.map((log) => ({ ...log, data: `${log.data}${'00'.repeat(32)}` }))),
    ],
    [
      'reports a head beyond its last block',
      () =>
        ({ method }, _response, request) =>
          method === 'eth_blockNumber' ? `0x${(HEAD - (request % 3) * 2 + 100).toString(16)}` : undefined,
    ],
  ])('%s', async (_, misbehaviour) => {
    const chain = createBusyChain();
    // On a busy chain every block contains a transfer, so the test adds a transfer to the last block.
    chain.add({ block: HEAD, from: toTestAddress(50), to: toTestAddress(5), amount: 9n });
    const { providers } = await serve(chain, misbehaviour(chain), null);
    const { settlements } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });

  test('returns other logs than the second provider: the step fails', async () => {
    const chain = createBusyChain();
    const paidTo = `0x${toTestAddress(4).slice(2).padStart(64, '0')}`;
    const incomplete = changeLogs((logs) => logs.filter(({ topics }) => topics[2] !== paidTo))(chain);
    const { providers } = await serve(chain, incomplete, null);
    await expect(readAll(providers, ORDER)).rejects.toThrow(/has other logs of the blocks 0 to 3000/);
    // The first provider is correct. The second provider cannot be compared, because it returns HTML or incomplete
    // logs.
    const pruned = changeLogs((logs, params) => (countBlocks(params) === 1 ? logs : logs.slice(-9)))(chain);
    for (const second of [html, pruned]) {
      const { settlements } = await readAll((await serve(chain, null, second)).providers, ORDER);
      expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    }
  });

  test('cannot be read: the error contains no URL', async () => {
    const { providers } = await serve(
      createBusyChain(),
      html,
      () => new RpcError(-32_000, 'see https://rpc.test/SECRET-KEY'),
    );
    const failure: unknown = await readAll(providers, ORDER).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnreadableError);
    expect(String(failure)).toContain('provider 1 of 2 responded 200 with a body that is not JSON');
    expect(
      JSON.stringify([failure, String(failure), failure instanceof Error ? failure.stack : '']),
    ).not.toMatch(/SECRET|127\.0\.0\.1:\d|rpc\.test/);
  });
});
