import { DAY_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { planResponse, type PlannedResponse } from './plan-response.ts';
import { createSimulatedEndpoints, type SimulatedEndpoint } from './simulated-endpoint.ts';

const EPOCH = Date.parse('2026-01-01T00:00:00Z');
const scenario = loadScenario();

function createEndpoints(seed: string) {
  return createSimulatedEndpoints({ scenario, seed, epoch: EPOCH });
}

const endpoints = createEndpoints('seed');

function findStory(story: string, among: readonly SimulatedEndpoint[] = endpoints): SimulatedEndpoint {
  const endpoint = among.find(({ definition }) => definition.story === story);
  if (!endpoint) throw new Error(`the scenario has no ${story}`);
  return endpoint;
}

function plan(endpoint: SimulatedEndpoint, at: number, changes = {}): PlannedResponse {
  return planResponse(
    endpoint,
    { method: endpoint.definition.method, path: endpoint.path, id: 'x', ...changes },
    at,
  );
}

function getStatus(planned: PlannedResponse): number | string {
  return planned.transport === 'response' ? planned.response.status : planned.transport;
}

const anyEndpoint = fc.integer({ min: 0, max: endpoints.length - 1 });
const anyTime = fc.integer({ min: EPOCH - DAY_MS, max: EPOCH + 60 * DAY_MS });

describe('a response depends only on the seed, the endpoint and the simulated time', () => {
  test('is identical in two simulations with the same seed', () => {
    const twins = createEndpoints('seed');
    fc.assert(
      fc.property(anyEndpoint, anyTime, (index, at) => {
        const [endpoint, twin] = [endpoints[index], twins[index]];
        if (!endpoint || !twin) throw new Error('there is no endpoint at this index');
        expect(plan(twin, at)).toEqual(plan(endpoint, at));
        expect(plan(endpoint, at)).toEqual(plan(endpoint, at));
      }),
    );
  });

  test('has other wallets with another seed', () => {
    const others = createEndpoints('other');
    const body = (planned: PlannedResponse) =>
      planned.transport === 'response' ? planned.response.headers.join() : '';
    expect(body(plan(findStory('price-steps', others), EPOCH))).not.toBe(
      body(plan(findStory('price-steps'), EPOCH)),
    );
  });

  test('draws random failures once a second', () => {
    const flaky = findStory('flaky-mixed');
    const within = new Set(Array.from({ length: 1_000 }, (_, ms) => JSON.stringify(plan(flaky, EPOCH + ms))));
    const across = new Set(
      Array.from({ length: 100 }, (_, second) => getStatus(plan(flaky, EPOCH + second * 1_000))),
    );
    expect(within.size).toBe(1);
    expect(across).toEqual(new Set([402, 500, 'reset']));
  });
});

test('the delay is within the bounds of the endpoint, or of the slow behaviour', () => {
  fc.assert(
    fc.property(anyEndpoint, anyTime, (index, at) => {
      const endpoint = endpoints[index];
      const planned = endpoint && plan(endpoint, at);
      if (!endpoint || !planned || planned.transport === 'hang') return;
      const [min, max] =
        endpoint.definition.story === 'slow' ? [1_200, 2_500] : endpoint.definition.latencyMs;
      expect(planned.delayMs).toBeGreaterThanOrEqual(min);
      expect(planned.delayMs).toBeLessThanOrEqual(max);
    }),
  );
});

test.each([
  { story: 'flaky-errors', fromDay: 0, rate: 0.06, outcomes: [402, 500] },
  { story: 'flaky-mixed', fromDay: 0, rate: 0.22, outcomes: [402, 500, 'reset'] },
  { story: 'flaky-resets', fromDay: 7, rate: 0.12, outcomes: [402, 'reset'] },
])('$story fails at its configured rate', ({ story, fromDay, rate, outcomes }) => {
  const seen = Array.from({ length: 20_000 }, (_, index) =>
    getStatus(plan(findStory(story), EPOCH + fromDay * DAY_MS + index * 1_800_000)),
  );
  const failures = seen.filter((outcome) => outcome !== 402).length / seen.length;
  expect(Math.abs(failures - rate)).toBeLessThan(0.01);
  expect(new Set(seen)).toEqual(new Set(outcomes));
});

test('responds with 405 to other methods, and to HEAD as to GET', () => {
  expect(getStatus(plan(findStory('price-steps'), EPOCH, { method: 'POST' }))).toBe(405);
  expect(getStatus(plan(findStory('post-declared'), EPOCH, { method: 'GET' }))).toBe(405);
  expect(getStatus(plan(findStory('price-steps'), EPOCH, { method: 'HEAD' }))).toBe(402);
});

test('a failing or blocked server ignores the method', () => {
  expect(getStatus(plan(findStory('always-500'), EPOCH, { method: 'GET' }))).toBe(500);
  expect(getStatus(plan(findStory('bot-page'), EPOCH, { method: 'POST' }))).toBe(403);
});

test("an item's price is within the spread and does not change", () => {
  const endpoint = findStory('template-colon');
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{1,6}$/), anyTime, (symbol, at) => {
      const planned = plan(endpoint, at, { path: `/${symbol}/quote`, item: symbol });
      if (planned.transport !== 'response') throw new Error('there is no response');
      const challenge = Buffer.from(planned.response.headers[3] ?? '', 'base64').toString();
      const amount = Number(/"amount":"(\d+)"/.exec(challenge)?.[1]);
      expect(amount).toBeGreaterThanOrEqual(1_000);
      expect(amount).toBeLessThanOrEqual(5_000);
      expect(challenge).toContain(`"url":"https://quotable.sandbox.test/${symbol}/quote"`);
      expect(plan(endpoint, at + DAY_MS, { path: `/${symbol}/quote`, item: symbol })).toMatchObject({
        response: planned.response,
      });
    }),
  );
});
