import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDns, serveTcp } from '@touchstone/probe/testing';
import { createProbeSender, createSiteSender } from './create-probers.ts';
import { startReceivers, type Receivers } from './testing/receivers.ts';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());

const createRequest = (url: string) => ({
  ...{ url, method: 'POST' as const, headers: {}, body: '{}' },
  ...{ timeoutMs: 5_000, maxReplyBytes: 1_000 },
});

describe('the sender of messages', () => {
  it('connects to no private address, unless the operator allows it', async () => {
    const request = createRequest(`https://127.0.0.1:${receivers.port}/hook`);
    const refused = await createProbeSender({ userAgent: 'test' })(request);
    expect(refused).toMatchObject({ outcome: 'refused-address', httpStatus: null });
    // The certificate of the receivers is not trusted, so the request ends after the connection.
    const allowed = await createProbeSender({ userAgent: 'test', allowPrivate: true })(request);
    expect(allowed).toMatchObject({ outcome: 'tls-error' });
    expect(receivers.messages).toEqual([]);
  });

  it('connects to the hosts of a sandbox, with its certificate authority', async () => {
    const { port, ca } = receivers;
    const resolver = () =>
      Promise.resolve([{ address: '127.0.0.1', family: 4 as const, port, isTrusted: true as const }]);
    const send = createProbeSender({
      userAgent: 'test',
      sandbox: { resolver, ca, hostSuffix: '.example.net' },
    });
    expect(await send(createRequest('https://one.example.net/hook'))).toMatchObject({ httpStatus: 200 });
    expect(receivers.messages).toMatchObject([
      { host: 'one.example.net', headers: { 'user-agent': 'test' } },
    ]);
  });
});

describe('the sender of connection tests', () => {
  it('opens at most 60 connections a minute to one address, whatever the names and ports are', async () => {
    await using dns = await serveDns((kind) => ({ addresses: kind === 'A' ? [[127, 0, 0, 1]] : [] }));
    await using victim = await serveTcp((socket) => void socket.destroy());
    const baseUrl = 'https://touchstone.example';
    const settings = { baseUrl, nameServers: [dns.server], allowPrivate: true };
    const send = createSiteSender(settings, () => 1_000_000_000);
    const names = Array.from(
      { length: 80 },
      (_, index) => `https://h${index}.evil${index}.test:${victim.port}/`,
    );
    const codes = (await Promise.all(names.map((url) => send(createRequest(url))))).map(
      ({ failure }) => failure?.code,
    );
    expect(victim.connections()).toBe(60);
    expect(codes.filter((code) => code === 'ERR_CONNECTION_LIMIT')).toHaveLength(20);
  });
});
