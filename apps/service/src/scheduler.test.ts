import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { PipelineContext } from '@touchstone/pipeline';
import { startScheduler } from './scheduler.ts';

const SECONDLY = '* * * * * *';
const context = {} as PipelineContext;

function collectLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { lines, log };
}

describe('startScheduler', () => {
  it('goes on after a job failed, and says which one', async () => {
    const { lines, log } = collectLog();
    let runs = 0;
    const run = () => Promise.reject(new Error(`attempt ${++runs}`));
    const scheduler = startScheduler([{ id: 'bad', title: 'A bad job', cron: SECONDLY, run }], context, log);
    while (runs < 2) await sleep(50);
    await scheduler.stop();
    expect(lines[0]).toMatchObject({ level: 50, job: 'bad', err: { message: 'attempt 1' } });
    const after = runs;
    await sleep(1200);
    expect(runs).toBe(after);
  });

  it('never runs a job twice at once, and waits for it when it stops', async () => {
    const { lines, log } = collectLog();
    let running = 0;
    let most = 0;
    const run = async () => {
      most = Math.max(most, ++running);
      await sleep(1500);
      running -= 1;
      return { done: true };
    };
    const scheduler = startScheduler(
      [{ id: 'long', title: 'A long job', cron: SECONDLY, run }],
      context,
      log,
    );
    await sleep(2600);
    await scheduler.stop();
    expect(running).toBe(0);
    expect(most).toBe(1);
    expect(lines[0]).toMatchObject({ job: 'long', done: true });
  });
});
