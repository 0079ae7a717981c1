import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_LAG_MS, startLagMeter } from './event-loop-lag.ts';

/** Blocks the event loop for `ms` milliseconds. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

// The event loop is measured in real time.
describe('startLagMeter', () => {
  it('reports a lag above the limit for rare stalls with a low mean', async () => {
    const meter = startLagMeter();
    for (let stall = 0; stall < 3; stall += 1) {
      block(60);
      await sleep(150);
    }
    expect(meter.getRecentLagMs()).toBeGreaterThan(MAX_LAG_MS);
    expect(meter.stop()).toBeGreaterThan(MAX_LAG_MS);
  });

  it('reports the lag of the last two windows only', async () => {
    const meter = startLagMeter();
    await sleep(15);
    block(400);
    await sleep(15);
    expect(meter.getRecentLagMs()).toBeGreaterThan(MAX_LAG_MS);
    await sleep(30);
    // The previous window still counts, because probes that end now may have been in flight during the stall.
    expect(meter.getRecentLagMs()).toBeGreaterThan(MAX_LAG_MS);
    // Other processes can delay some of the windows, so the loop ends at the first window without a stall.
    let lagMs = Infinity;
    for (let count = 0; count < 100 && lagMs >= 300; count += 1) {
      await sleep(30);
      lagMs = meter.getRecentLagMs();
    }
    meter.stop();
    expect(lagMs).toBeLessThan(300);
  });

  it('reports 0 without samples', () => {
    const meter = startLagMeter();
    expect(meter.getRecentLagMs()).toBe(0);
    expect(meter.stop()).toBe(0);
  });
});
