import { randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { createCipher } from '@touchstone/watch';
import { expect, it } from 'vitest';
import { createSandboxContext } from './sandbox-context.ts';

it('rejects a probe without a response after the sandbox process has ended, and otherwise records the miss', async () => {
  let isRunning = true;
  const { prober } = createSandboxContext({
    sandbox: {
      chains: null,
      directoryUrl: 'http://127.0.0.1:1',
      isRunning: () => isRunning,
      control: {
        resolver: () => Promise.reject(new Error('ENOTFOUND')),
        ca: rootCertificates[0] ?? '',
        hostSuffix: '.sandbox.test',
      },
    },
    baseUrl: 'http://localhost:3000',
    database: { url: 'http://127.0.0.1:1', secret: 'sb_secret_test' },
    cipher: createCipher([randomBytes(32).toString('base64url')]),
    owner: 'test',
    embedder: null,
    onChanged: () => Promise.resolve(),
  });
  const probe = () => prober({ url: 'https://gone.sandbox.test/', methods: ['GET'] });
  expect(await probe()).toMatchObject({ httpStatus: null });
  isRunning = false;
  await expect(probe()).rejects.toThrow('The sandbox process has ended');
});
