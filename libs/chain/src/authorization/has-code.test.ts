import { afterEach, expect, test } from 'vitest';
import { ChainUnreadableError, hasCode } from '../index.ts';
import { toTestAddress } from '../testing/fake-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';
import { serveRpc } from '../testing/rpc-server.ts';

const servers: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const address = toTestAddress(1);
const checkWith = async (code: unknown) => {
  const respond = (method: string, params: readonly unknown[]): unknown => {
    expect([method, params]).toEqual(['eth_getCode', [address, 'latest']]);
    return code;
  };
  const server = await serveRpc({ respond });
  servers.push(server);
  return hasCode(openTestProviders([server.url]).providers, address);
};

test.each([
  ['0x', false],
  ['0x6001', true],
])('of an address with the code %s returns %s', async (code, expected) => {
  expect(await checkWith(code)).toBe(expected);
});

test.each([null, '', '0x0', 7])('throws for the invalid response %j', async (code) => {
  await expect(checkWith(code)).rejects.toThrow(ChainUnreadableError);
});
