import { WATCH_EVENT_TYPES } from '@touchstone/contract';
import type { WorkContext } from '@touchstone/payment';
import { createWatchSecret } from '@touchstone/watch';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useTestDatabase } from '../testing/test-database.ts';

const CONTEXT: WorkContext = { client: '203.0.113.7' };
const BUYER = {
  network: 'eip155:8453',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  payer: '0x0000000000000000000000000000000000000001',
  nonce: `0x${'0'.repeat(64)}`,
  owner: 'request',
};
const REQUEST = {
  endpoint: 'HTTPS://API.example.com:443/unknown#top',
  events: WATCH_EVENT_TYPES,
  livenessSensitivityN: 2,
  webhookUrls: [],
  chatUrls: [],
};

const { database, getModules } = useTestDatabase(() => import('./watch-operations.ts'));
beforeEach(() => database.reset());

/** Loads the operations of a service with encryption keys. */
async function loadWithKeys() {
  vi.resetModules();
  vi.stubEnv('WATCH_ENCRYPTION_KEYS', Buffer.alloc(32, 1).toString('base64url'));
  return import('./watch-operations.ts');
}

describe('the creation of a watch', () => {
  it('is unavailable without encryption keys, and its result cannot be stored', async () => {
    const { watchCreation } = getModules();
    expect(watchCreation.cipher).toBeNull();
    const request = { ...REQUEST, endpoint: 'https://api.example.com/weather' };
    expect(await watchCreation.work(request, BUYER, CONTEXT)).toMatchObject({
      problem: { code: 'watch-unavailable', status: 503 },
    });
    expect(database.listCalls()).not.toContain('create_watch');
  });

  it('encrypts its stored result with the configured keys, and sends it again for a short time only', async () => {
    const { watchCreation } = await loadWithKeys();
    const encrypted = (await watchCreation.cipher?.encrypt('wsk_secret')) ?? '';
    expect(encrypted).not.toContain('wsk_secret');
    expect(await watchCreation.cipher?.decrypt(encrypted)).toBe('wsk_secret');
    expect(watchCreation.publicReplaySeconds).toBe(60);
  });

  it('refuses an endpoint that is not in the catalog', async () => {
    const { watchCreation } = await loadWithKeys();
    expect(await watchCreation.work(REQUEST, BUYER, CONTEXT)).toMatchObject({
      problem: { code: 'unknown-resource', status: 404 },
    });
    expect(database.findCall('find_watch_target')).toMatchObject({
      p_resource: 'https://api.example.com/unknown',
    });
  });

  it('is paid for the canonical URL of the endpoint', async () => {
    const { watchCreation } = getModules();
    expect(watchCreation.toResource(REQUEST)).toBe('https://api.example.com/unknown');
  });
});

describe('the renewal of a watch', () => {
  it('refuses an unknown watch, and its payment names the watch', async () => {
    const { watchRenewal } = getModules();
    const { id } = createWatchSecret();
    expect(await watchRenewal.work({ id }, BUYER, CONTEXT)).toMatchObject({
      problem: { code: 'watch-not-found', status: 404 },
    });
    expect(watchRenewal.toResource({ id })).toBe(`watch:${id}`);
  });
});
