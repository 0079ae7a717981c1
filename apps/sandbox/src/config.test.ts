import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('needs only a data folder', () => {
  expect(readConfig({ SANDBOX_DATA_DIR: '/data', SANDBOX_SEED: '', PATH: '/bin' })).toEqual({
    dataDir: '/data',
    seed: null,
    epoch: null,
    historyDays: 14,
    chain: true,
    salesNetwork: 'eip155:8453',
    listingsFile: null,
    serviceUrl: null,
    tlsPort: 0,
    directoryPort: 0,
    controlPort: 0,
    receiverPort: 0,
    facilitatorPort: 0,
    chainPorts: new Map(),
  });
});

test('reads every setting', () => {
  expect(
    readConfig({
      SANDBOX_DATA_DIR: '/data',
      SANDBOX_SEED: 'seed',
      SANDBOX_EPOCH: '2026-01-01T00:00:00Z',
      SANDBOX_HISTORY_DAYS: '30',
      SANDBOX_LISTINGS: '/listings.jsonl',
      SANDBOX_SERVICE_URL: 'http://localhost:3000',
      SANDBOX_TLS_PORT: '8443',
      SANDBOX_DIRECTORY_PORT: '8080',
      SANDBOX_CONTROL_PORT: '8081',
      SANDBOX_RECEIVER_PORT: '8082',
      SANDBOX_FACILITATOR_PORT: '8083',
      SANDBOX_CHAIN_PORTS: 'eip155:8453=8084,eip155:137=8085',
      SANDBOX_CHAIN: 'off',
      SANDBOX_NETWORK: 'eip155:84532',
    }),
  ).toEqual({
    dataDir: '/data',
    seed: 'seed',
    epoch: '2026-01-01T00:00:00Z',
    historyDays: 30,
    listingsFile: '/listings.jsonl',
    serviceUrl: 'http://localhost:3000',
    tlsPort: 8443,
    directoryPort: 8080,
    controlPort: 8081,
    receiverPort: 8082,
    facilitatorPort: 8083,
    chainPorts: new Map([
      ['eip155:8453', 8084],
      ['eip155:137', 8085],
    ]),
    chain: false,
    salesNetwork: 'eip155:84532',
  });
});

test.each([
  [{ SANDBOX_DATA_DIR: undefined }, /SANDBOX_DATA_DIR is required/],
  [{ SANDBOX_DATA_DIR: '' }, /SANDBOX_DATA_DIR is required/],
  [
    { SANDBOX_CHAIN_PORTS: 'base=80' },
    /SANDBOX_CHAIN_PORTS must have entries such as eip155:8453=4001, separated by commas; received base=80/,
  ],
  [
    { SANDBOX_NETWORK: 'eip155:137' },
    /SANDBOX_NETWORK must be eip155:8453 or eip155:84532; received eip155:137/,
  ],
  [
    { SANDBOX_EPOCH: 'yesterday' },
    /SANDBOX_EPOCH must be an ISO 8601 time with a time zone; received yesterday/,
  ],
  [{ SANDBOX_HISTORY_DAYS: '-1' }, /SANDBOX_HISTORY_DAYS must be a whole number from 0 to 3650; received -1/],
  [
    { SANDBOX_HISTORY_DAYS: '4000' },
    /SANDBOX_HISTORY_DAYS must be a whole number from 0 to 3650; received 4000/,
  ],
  [{ SANDBOX_TLS_PORT: '65536' }, /SANDBOX_TLS_PORT must be a whole number from 0 to 65535; received 65536/],
  [
    { SANDBOX_CONTROL_PORT: '80a' },
    /SANDBOX_CONTROL_PORT must be a whole number from 0 to 65535; received 80a/,
  ],
])('rejects %j with the name of the variable', (wrong, message) => {
  expect(() => readConfig({ SANDBOX_DATA_DIR: '/data', ...wrong })).toThrow(message);
});

test('lists all errors in one line', () => {
  const wrong = { SANDBOX_EPOCH: 'x', SANDBOX_TLS_PORT: 'y' };
  expect(() => readConfig(wrong)).toThrow(/^SANDBOX_DATA_DIR .*; SANDBOX_EPOCH .*; SANDBOX_TLS_PORT [^\n]*$/);
});
