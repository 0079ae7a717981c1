import { describe, expect, test } from 'vitest';
import { loadScenario, type BehaviourKind } from './scenario-schema.ts';

const scenario = loadScenario();

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
      upto: true,
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

  test('has different names and URLs, and only tokens that the x402 version of the endpoint can name', () => {
    const { endpoints, tokens } = scenario;
    for (const key of ['name', 'url'] as const)
      expect(new Set(endpoints.map((each) => each[key])).size).toBe(endpoints.length);
    const faulty = endpoints.filter(({ protocol, phases, ...each }) =>
      [each, ...phases].some(({ tokens: names = [] }) =>
        names.some((name) => !tokens[name] || (protocol !== 'v2' && !tokens[name].v1Network)),
      ),
    );
    expect(faulty).toEqual([]);
  });

  test('has faults of DNS, TCP and TLS only on hosts with one endpoint, because they apply to the whole host', () => {
    const byHost = Object.groupBy(scenario.endpoints, ({ url }) => new URL(url).hostname);
    const shared = Object.values(byHost).flatMap((endpoints = []) => (endpoints.length > 1 ? endpoints : []));
    const kinds = shared.flatMap(({ behaviour, phases }) =>
      [behaviour, ...phases.flatMap((phase) => phase.behaviour ?? [])].map(({ kind }) => kind),
    );
    for (const kind of ['dead', 'dns-gone', 'bad-certificate']) expect(kinds).not.toContain(kind);
  });
});
