import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProbeSender } from './create-probers.ts';
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
