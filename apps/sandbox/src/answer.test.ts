import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo } from './answer.ts';
import type { Answer } from './answer.ts';
import { loadScenario } from './load-scenario.ts';
import { residentsOf } from './resident.ts';
import type { Resident } from './resident.ts';

const DAY_MS = 86_400_000;
const EPOCH = Date.parse('2026-01-01T00:00:00Z');
const scenario = loadScenario();
const settle = (seed: string) => residentsOf({ scenario, seed, epoch: EPOCH });
const residents = settle('seed');

const told = (story: string, among: readonly Resident[] = residents): Resident => {
  const resident = among.find(({ endpoint }) => endpoint.story === story);
  if (!resident) throw new Error(`the scenario has no ${story}`);
  return resident;
};
const ask = (resident: Resident, at: number, changes = {}): Answer =>
  answerTo(resident, { method: resident.endpoint.method, path: resident.path, item: 'x', ...changes }, at);
const status = (answer: Answer): number | string =>
  answer.transport === 'reply' ? answer.reply.status : answer.transport;

const anyResident = fc.integer({ min: 0, max: residents.length - 1 });
const anyMoment = fc.integer({ min: EPOCH - DAY_MS, max: EPOCH + 60 * DAY_MS });

describe('an answer is a pure function of seed, endpoint and world time', () => {
  test('two worlds of one seed answer alike to the last byte', () => {
    const twins = settle('seed');
    fc.assert(
      fc.property(anyResident, anyMoment, (index, at) => {
        const [resident, twin] = [residents[index], twins[index]];
        if (!resident || !twin) throw new Error('no such resident');
        expect(ask(twin, at)).toEqual(ask(resident, at));
        expect(ask(resident, at)).toEqual(ask(resident, at));
      }),
    );
  });

  test('another seed pays other wallets', () => {
    const others = settle('other');
    const body = (answer: Answer) => (answer.transport === 'reply' ? answer.reply.headers.join() : '');
    expect(body(ask(told('price-steps', others), EPOCH))).not.toBe(body(ask(told('price-steps'), EPOCH)));
  });

  test('chance is drawn anew each second and not within one', () => {
    const flaky = told('flaky-mixed');
    const within = new Set(Array.from({ length: 1_000 }, (_, ms) => JSON.stringify(ask(flaky, EPOCH + ms))));
    const across = new Set(
      Array.from({ length: 100 }, (_, second) => status(ask(flaky, EPOCH + second * 1_000))),
    );
    expect(within.size).toBe(1);
    expect(across).toEqual(new Set([402, 500, 'reset']));
  });
});

test("the delay lies within the endpoint's own bounds, or the slow behaviour's", () => {
  fc.assert(
    fc.property(anyResident, anyMoment, (index, at) => {
      const resident = residents[index];
      const answer = resident && ask(resident, at);
      if (!resident || !answer || answer.transport === 'hang') return;
      const [least, most] = resident.endpoint.story === 'slow' ? [1_200, 2_500] : resident.endpoint.latencyMs;
      expect(answer.delayMs).toBeGreaterThanOrEqual(least);
      expect(answer.delayMs).toBeLessThanOrEqual(most);
    }),
  );
});

test.each([
  { story: 'flaky-errors', fromDay: 0, rate: 0.06, outcomes: [402, 500] },
  { story: 'flaky-mixed', fromDay: 0, rate: 0.22, outcomes: [402, 500, 'reset'] },
  { story: 'flaky-resets', fromDay: 7, rate: 0.12, outcomes: [402, 'reset'] },
])('$story fails as often as it should', ({ story, fromDay, rate, outcomes }) => {
  const seen = Array.from({ length: 20_000 }, (_, index) =>
    status(ask(told(story), EPOCH + fromDay * DAY_MS + index * 1_800_000)),
  );
  const failures = seen.filter((outcome) => outcome !== 402).length / seen.length;
  expect(Math.abs(failures - rate)).toBeLessThan(0.01);
  expect(new Set(seen)).toEqual(new Set(outcomes));
});

test('another method than its own is answered 405, and HEAD like GET', () => {
  expect(status(ask(told('price-steps'), EPOCH, { method: 'POST' }))).toBe(405);
  expect(status(ask(told('post-declared'), EPOCH, { method: 'GET' }))).toBe(405);
  expect(status(ask(told('price-steps'), EPOCH, { method: 'HEAD' }))).toBe(402);
});

test('a broken server is broken for every method', () => {
  expect(status(ask(told('always-500'), EPOCH, { method: 'GET' }))).toBe(500);
  expect(status(ask(told('bot-page'), EPOCH, { method: 'POST' }))).toBe(403);
});

test("an item's price stays within the spread and is always the same", () => {
  const resident = told('template-colon');
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{1,6}$/), anyMoment, (symbol, at) => {
      const answer = ask(resident, at, { path: `/${symbol}/quote`, item: symbol });
      if (answer.transport !== 'reply') throw new Error('no reply');
      const envelope = Buffer.from(answer.reply.headers[3] ?? '', 'base64').toString();
      const amount = Number(/"amount":"(\d+)"/.exec(envelope)?.[1]);
      expect(amount).toBeGreaterThanOrEqual(1_000);
      expect(amount).toBeLessThanOrEqual(5_000);
      expect(envelope).toContain(`"url":"https://quotable.sandbox.test/${symbol}/quote"`);
      expect(ask(resident, at + DAY_MS, { path: `/${symbol}/quote`, item: symbol })).toMatchObject({
        reply: answer.reply,
      });
    }),
  );
});
