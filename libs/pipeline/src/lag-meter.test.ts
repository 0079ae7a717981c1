import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LAG_LIMIT_MS, startLagMeter } from './lag-meter.ts';

/** Keeps this process for so long. Gives the seconds of processor it got, which is less where others want it too. */
function block(ms: number): number {
  const until = performance.now() + ms;
  const before = process.cpuUsage();
  while (performance.now() < until);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

describe('the lag of this process', () => {
  it('is over the limit when it stalls now and then, although its mean is far below', async () => {
    const meter = startLagMeter();
    const startedAt = performance.now();
    let stalledSeconds = 0;
    const stalls = setInterval(() => {
      stalledSeconds += block(60);
    }, 400);
    await sleep(2_500);
    clearInterval(stalls);
    expect(meter.recentLagMs()).toBeGreaterThan(LAG_LIMIT_MS);
    const { lagMsP99, lagMsMax, cpuSeconds, cpuShare } = meter.stop();
    expect(lagMsP99).toBeGreaterThan(LAG_LIMIT_MS);
    expect(lagMsMax).toBeGreaterThanOrEqual(lagMsP99);
    expect(stalledSeconds).toBeGreaterThan(0);
    // Both are rounded to hundredths.
    expect(cpuSeconds).toBeGreaterThan(stalledSeconds - 0.01);
    expect(cpuShare).toBeCloseTo((cpuSeconds * 1000) / (performance.now() - startedAt), 1);
  });

  it('is that of the last two windows, so that what was busy once is believed again', async () => {
    const meter = startLagMeter();
    for (let count = 0; count < 3; count += 1) {
      block(80);
      await sleep(15);
    }
    expect(meter.recentLagMs()).toBeGreaterThan(LAG_LIMIT_MS);
    await sleep(150);
    // The probes that end now may have been under way while it stalled.
    expect(meter.recentLagMs()).toBeGreaterThan(LAG_LIMIT_MS);
    const windows: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await sleep(150);
      windows.push(meter.recentLagMs());
    }
    meter.stop();
    // Another process may take the processor in one of them; that all of them lag would be our own doing.
    expect(Math.min(...windows)).toBeLessThan(60);
  });

  it('is measured as nothing where nothing was measured', () => {
    const meter = startLagMeter();
    expect(meter.recentLagMs()).toBe(0);
    expect(meter.stop()).toMatchObject({ lagMsP99: 0, lagMsMax: 0 });
  });
});
