import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ImitableHosts } from './imitable-hosts.ts';

const KNOWN = [
  ...[
    'api.exa.ai',
    'search.exa.ai',
    'api.coinbase.com',
    'pay.weather-data.co.uk',
    'barnacle.io',
    'vvaves.io',
    'io.net',
  ],
  ...['agent1.vercel.app', 'oracle.vercel.app', 'oracle.dev', '8.8.8.8'],
];
const hosts = new ImitableHosts(KNOWN);
const toHost = (name: string): string => new URL(`https://${name}`).hostname;

describe('an imitation', () => {
  it.each([
    ['api.exa.ai.evil.com', 'api.exa.ai'],
    ['search.exa.ai.evil.com', 'search.exa.ai'],
    ['exa.ai.evil.com', 'api.exa.ai'],
    ['api.exa.ai-pay.com', 'api.exa.ai'],
    ['agent1.vercel.app.evil.com', 'agent1.vercel.app'],
    ['c0inbase.com', 'api.coinbase.com'],
    ['api.colnbase.com', 'api.coinbase.com'],
    ['coinbsae.com', 'api.coinbase.com'],
    ['coinbases.com', 'api.coinbase.com'],
    ['conbase.com', 'api.coinbase.com'],
    ['coinbaze.com', 'api.coinbase.com'],
    ['coinbäse.com', 'api.coinbase.com'],
    ['weatherdata.co.uk', 'pay.weather-data.co.uk'],
    ['bamacle.io', 'barnacle.io'],
    ['waves.io', 'vvaves.io'],
    ['agentl.vercel.app', 'agent1.vercel.app'],
    // All letters of the name are Cyrillic.
    ['еха.ai', 'api.exa.ai'],
    ['соinbase.com', 'api.coinbase.com'],
  ])('%s resembles %s', (host, known) => {
    expect(hosts.find(toHost(host))).toBe(known);
  });
});

describe('no imitation', () => {
  it.each([
    ['is a known host', 'api.exa.ai'],
    ['has the registrable domain of a known host', 'ap1.exa.ai'],
    ['has the same name under another suffix', 'coinbase.dev'],
    ['has another short name', 'exo.ai'],
    ['has a short name of similar letters', 'lo.net'],
    ['has another digit', 'api.coinbase2.com'],
    ['has one other letter on a platform', 'oracles.vercel.app'],
    ['differs by two letters', 'coinbuzz.com'],
    ['contains a known name that is no domain', 'exa.evil.com'],
    ['contains a part of a known domain', 'hexa.ai.evil.com'],
    ['is an IP address', '8.8.8.9'],
    ['is a suffix', 'vercel.app'],
  ])('%s: %s', (_reason, host) => {
    expect(hosts.find(toHost(host))).toBeNull();
  });
});

const folder = process.env['REAL_DATA_DIR'];

it.skipIf(folder === undefined)('is found between no two recorded hosts', () => {
  const real = readFileSync(`${folder ?? ''}/real-hosts.jsonl`, 'utf8')
    .trim()
    .split('\n')
    // The recorded lines have this member.
    .map((line) => (JSON.parse(line) as { host: string }).host);
  expect(real.length).toBeGreaterThan(700);
  const accused = real.filter(
    (host) => new ImitableHosts(real.filter((other) => other !== host)).find(host) !== null,
  );
  expect(accused).toEqual([]);
});
