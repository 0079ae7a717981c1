import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDelayedCall } from './delayed-call.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createDelayedCall', () => {
  it('runs only the last of several actions, after the delay', () => {
    const ran: number[] = [];
    const call = createDelayedCall(300);
    for (const id of [1, 2, 3]) {
      call.schedule(() => ran.push(id));
      vi.advanceTimersByTime(299);
    }
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual([3]);
  });

  it('drops a cancelled action and can run the next one', () => {
    const ran: number[] = [];
    const call = createDelayedCall(300);
    call.schedule(() => ran.push(1));
    call.cancel();
    vi.runAllTimers();
    call.schedule(() => ran.push(2));
    vi.runAllTimers();
    expect(ran).toEqual([2]);
  });
});
