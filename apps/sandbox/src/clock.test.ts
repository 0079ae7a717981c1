import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('time follows real time until it is stopped, and again after', () => {
  let real = 1_000;
  const clock = createClock(() => real);
  expect([clock.now(), clock.frozenAt()]).toEqual([1_000, null]);
  clock.set(50);
  real = 2_000;
  expect([clock.now(), clock.frozenAt()]).toEqual([50, 50]);
  clock.set(null);
  expect([clock.now(), clock.frozenAt()]).toEqual([2_000, null]);
});

test('time may stand still at its very beginning', () => {
  const clock = createClock(() => 1_000);
  clock.set(0);
  expect([clock.now(), clock.frozenAt()]).toEqual([0, 0]);
});
