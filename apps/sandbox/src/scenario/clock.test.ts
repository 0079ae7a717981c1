import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('follows real time until it is stopped, and again afterwards', () => {
  let real = 1_000;
  const clock = createClock(() => real);
  expect([clock.now(), clock.frozenAt()]).toEqual([1_000, null]);
  clock.set(50);
  real = 2_000;
  expect([clock.now(), clock.frozenAt()]).toEqual([50, 50]);
  clock.set(null);
  expect([clock.now(), clock.frozenAt()]).toEqual([2_000, null]);
});

test('can be stopped at time 0', () => {
  const clock = createClock(() => 1_000);
  clock.set(0);
  expect([clock.now(), clock.frozenAt()]).toEqual([0, 0]);
});
