import { DAY_MS } from '@touchstone/common';
import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { findStory, scenario } from '../testing/story-requests.ts';
import { getStateAt, buildTimeline, CHANGES, changeTimeline, type Change } from './timeline.ts';

const EPOCH = Date.parse('2026-01-01T00:00:00Z');

function buildStoryTimeline(story: string) {
  return buildTimeline(findStory(story), EPOCH);
}

function getStateOnDay(story: string, day: number) {
  return getStateAt(buildStoryTimeline(story), EPOCH + day * DAY_MS);
}

test('a phase starts with its first millisecond and changes only the properties it names', () => {
  const before = getStateOnDay('price-spike', 13 - 1 / DAY_MS);
  const after = getStateOnDay('price-spike', 13);
  expect(before.priceUsd).toBe('0.02');
  expect(after).toEqual({ ...before, from: EPOCH + 13 * DAY_MS, priceUsd: '0.4' });
});

test('each phase is applied to the previous state', () => {
  expect([0, 4, 9, 12].map((day) => getStateOnDay('price-steps', day).priceUsd)).toEqual([
    '0.01',
    '0.012',
    '0.015',
    '0.0125',
  ]);
  expect([4, 6, 8].map((day) => getStateOnDay('relisted', day).listed)).toEqual([true, false, true]);
});

test('the first state applies before the epoch, the last one without end', () => {
  const timeline = buildStoryTimeline('delisted');
  expect(getStateAt(timeline, 0)).toBe(timeline[0]);
  expect(getStateAt(timeline, EPOCH + 9_999 * DAY_MS)).toBe(timeline.at(-1));
});

test('the latest phase that has started applies', () => {
  const timeline = buildStoryTimeline('price-steps');
  fc.assert(
    fc.property(fc.integer({ min: EPOCH, max: EPOCH + 30 * DAY_MS }), (at) => {
      const state = getStateAt(timeline, at);
      expect(state.from).toBeLessThanOrEqual(at);
      expect(timeline.filter(({ from }) => from > state.from && from <= at)).toEqual([]);
    }),
  );
});

const { tokens } = scenario;
const definition = fc.constantFrom(...scenario.endpoints);
const time = fc.integer({ min: EPOCH, max: EPOCH + 20 * DAY_MS });
const changeSet = fc.uniqueArray(fc.constantFrom(...CHANGES)).map((list) => new Set<Change>(list));

function findEndpoint(name: string) {
  const found = scenario.endpoints.find((endpoint) => endpoint.name === name);
  if (!found) throw new Error(`the scenario has no endpoint ${name}`);
  return found;
}

function changeEndpoint(name: string, ...changes: Change[]) {
  const endpoint = findEndpoint(name);
  const timeline = buildTimeline(endpoint, EPOCH);
  const at = EPOCH + DAY_MS;
  const changed = changeTimeline(
    { timeline, scenario: timeline },
    { changes: new Set(changes), from: at },
    { definition: endpoint, tokens },
  );
  return { before: getStateAt(changed, at - 1), after: getStateAt(changed, at) };
}

describe('a change', () => {
  test('of the price multiplies it by ten', () => {
    expect(changeEndpoint('skyfall-current', 'price').after.priceUsd).toBe('0.02');
    expect(changeEndpoint('crashlab-simulations-run', 'price').after.priceUsd).toBe('25');
    expect(changeEndpoint('commons-quotes-today', 'price').after.priceUsd).toBe('0');
  });

  test.each([
    ['skyfall-current', ['usdc-polygon']],
    ['quotable-equities-quote', ['usdc-base']],
    ['cryptick-price', ['usdc-polygon']],
  ])('of the asset of %s selects %j', (name, expected) => {
    expect(changeEndpoint(name, 'asset').after.tokens).toEqual(expected);
  });

  test('of each kind changes only its own property', () => {
    const { before } = changeEndpoint('skyfall-current');
    const from = EPOCH + DAY_MS;
    const expected = { ...before, from };
    expect(changeEndpoint('skyfall-current', 'payto').after).toEqual({
      ...expected,
      wallet: 'other than skyfall',
    });
    expect(changeEndpoint('skyfall-current', 'listing').after).toEqual({ ...expected, listed: false });
    const behaviour = { kind: 'malformed', fault: 'truncated-json' };
    expect(changeEndpoint('skyfall-current', 'challenge').after).toEqual({ ...expected, behaviour });
  });

  test('can be made together with others, and an outage hides a malformed challenge', () => {
    expect(changeEndpoint('skyfall-current', 'outage', 'challenge', 'payto', 'price').after).toMatchObject({
      wallet: 'other than skyfall',
      priceUsd: '0.02',
      behaviour: { kind: 'server-error', status: 503 },
    });
  });
});

test('the past keeps its states, and no changes restore the scenario from then on', () => {
  const times = fc.tuple(time, time).map((pair) => pair.toSorted((a, b) => a - b) as [number, number]);
  const properties = fc.record({ endpoint: definition, changes: changeSet, times, at: time });
  fc.assert(
    fc.property(properties, ({ endpoint, changes, times: [made, removed], at }) => {
      const timeline = buildTimeline(endpoint, EPOCH);
      const context = { definition: endpoint, tokens };
      const changed = changeTimeline({ timeline, scenario: timeline }, { changes, from: made }, context);
      const none = { changes: new Set<Change>(), from: removed };
      const restored = changeTimeline({ timeline: changed, scenario: timeline }, none, context);
      const starts = restored.map(({ from }) => from);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      const expected = getStateAt(at >= made && at < removed ? changed : timeline, at);
      const actual = getStateAt(restored, at);
      expect({ ...actual, from: 0 }).toEqual({ ...expected, from: 0 });
    }),
  );
});

test('changes also apply after later phases of the scenario', () => {
  const endpoint = scenario.endpoints.find(({ story }) => story === 'price-steps');
  if (!endpoint) throw new Error('the scenario has no price steps');
  const timeline = buildTimeline(endpoint, EPOCH);
  const changed = changeTimeline(
    { timeline, scenario: timeline },
    { changes: new Set(['price', 'listing']), from: EPOCH + 5 * DAY_MS },
    { definition: endpoint, tokens },
  );
  expect([4, 5, 9, 12].map((day) => getStateAt(changed, EPOCH + day * DAY_MS).priceUsd)).toEqual([
    '0.012',
    '0.12',
    '0.15',
    '0.125',
  ]);
  expect(getStateAt(changed, EPOCH + 12 * DAY_MS).listed).toBe(false);
});
