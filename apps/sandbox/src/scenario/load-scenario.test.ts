import { describe, expect, test } from 'vitest';
import { loadScenario, parseScenario } from './load-scenario.ts';
import type { BehaviourKind } from './scenario-schema.ts';

const scenario = loadScenario();

function endpoint(changes: object) {
  return {
    name: 'one',
    url: 'https://one.sandbox.test/a',
    story: 'healthy',
    service: 'One',
    tags: [],
    latencyMs: [1, 2],
    description: 'First.',
    priceUsd: '0.01',
    wallet: 'one',
    tokens: ['coin'],
    ...changes,
  };
}

const coin = { network: 'eip155:1', asset: '0x00', decimals: 6 };

function parse(...endpoints: object[]) {
  return parseScenario({ tokens: { coin }, endpoints });
}

const everyBehaviour = scenario.endpoints.flatMap((each) => [
  each.behaviour,
  ...each.phases.flatMap((phase) => phase.behaviour ?? []),
]);

describe('the scenario of the sandbox', () => {
  test('has at least 64 endpoints, more than half of them always healthy', () => {
    const healthy = scenario.endpoints.filter(
      (each) => each.behaviour.kind === 'healthy' && each.phases.every((phase) => !phase.behaviour),
    );
    expect(scenario.endpoints.length).toBeGreaterThanOrEqual(64);
    expect(healthy.length).toBeGreaterThan(scenario.endpoints.length / 2);
  });

  test('contains every kind of behaviour and every fault', () => {
    const kinds: Record<BehaviourKind, true> = {
      healthy: true,
      slow: true,
      flaky: true,
      dead: true,
      hanging: true,
      'dns-gone': true,
      'bad-certificate': true,
      'server-error': true,
      gone: true,
      malformed: true,
      'missing-field': true,
      'fake-usdc': true,
      'wrong-domain': true,
      free: true,
      blocked: true,
      'oversized-header': true,
      'slow-drip': true,
      redirect: true,
      'body-only': true,
      'renamed-header': true,
    };
    expect(new Set(everyBehaviour.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
    const faults = everyBehaviour.flatMap((behaviour) => ('fault' in behaviour ? behaviour.fault : []));
    expect(new Set(faults).size).toBe(3 + 4 + 7);
  });

  test('has one hanging endpoint, from day 12.5 on, because each of its probes takes a full timeout', () => {
    const hanging = scenario.endpoints.flatMap((each) =>
      each.phases.filter((phase) => phase.behaviour?.kind === 'hanging').map((phase) => phase.fromDay),
    );
    expect(hanging).toEqual([12.5]);
    expect(scenario.endpoints.some((each) => each.behaviour.kind === 'hanging')).toBe(false);
  });

  test('has prices from $0.0005 to $25', () => {
    const prices = scenario.endpoints.map((each) => Number(each.priceUsd)).filter((price) => price > 0);
    expect(Math.min(...prices)).toBe(0.0005);
    expect(Math.max(...prices)).toBe(25);
  });
});

describe('a scenario is rejected', () => {
  test.each([
    ['a duplicate name', [endpoint({}), endpoint({ url: 'https://two.sandbox.test/b' })], /the name one/],
    ['a duplicate URL', [endpoint({}), endpoint({ name: 'two' })], /the URL https:\/\/one\.sandbox\.test\/a/],
    ['an unknown token', [endpoint({ tokens: ['gold'] })], /the token gold is not defined/],
    [
      'an unknown token in a phase',
      [endpoint({ phases: [{ fromDay: 2, tokens: ['gold'] }] })],
      /the token gold is not defined/,
    ],
    ['x402 v1 on a network without a v1 name', [endpoint({ protocol: 'v1' })], /coin has no v1Network/],
    ['a URL outside sandbox.test', [endpoint({ url: 'https://example.com/a' })], /url/],
    ['an unknown member', [endpoint({ behavior: { kind: 'dead' } })], /behavior/],
    [
      'a host-wide behaviour on a shared host',
      [
        endpoint({}),
        endpoint({
          name: 'two',
          url: 'https://one.sandbox.test/b',
          phases: [{ fromDay: 1, behaviour: { kind: 'dead' } }],
        }),
      ],
      /two: its behaviour applies to its whole host/,
    ],
  ])('with %s', (_what, endpoints, message) => {
    expect(() => parse(...endpoints)).toThrow(message);
  });

  test('only when it has an error', () => {
    expect(parse(endpoint({})).endpoints).toHaveLength(1);
  });
});
