import type { Component } from '../types.ts';

/** Weight of each component; they add up to 100. */
export const WEIGHTS: Readonly<Record<Component, number>> = {
  uptime: 30,
  compliance: 25,
  stability: 15,
  activity: 15,
  age: 10,
  latency: 5,
};
