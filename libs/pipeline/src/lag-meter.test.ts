import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LAG_LIMIT_MS, startLagMeter } from './lag-meter.ts';

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the lag of this process', () => {
  it('is over the limit when it stalls now and then, although its mean is far below', async () => {
    const meter = startLagMeter();
    let stalledMs = 0;
    const stalls = setInterval(() => {
      block(60);
      stalledMs += 60;
    }, 400);
    await sleep(2_500);
    clearInterval(stalls);
    expect(meter.recentLagMs()).toBeGreaterThan(LAG_LIMIT_MS);
    const { lagMsP99, lagMsMax, cpuSeconds, cpuShare } = meter.stop();
    expect(lagMsP99).toBeGreaterThan(LAG_LIMIT_MS);
    expect(lagMsMax).toBeGreaterThanOrEqual(lagMsP99);
    expect(cpuSeconds).toBeGreaterThan(stalledMs / 1000 / 2);
    expect(cpuShare).toBeGreaterThan(0.05);
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
