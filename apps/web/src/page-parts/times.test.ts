import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { formatDuration } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const script = readFileSync(new URL('./times.js', import.meta.url), 'utf8');
const NOW = Date.parse('2026-03-04T12:00:00Z');

/** Creates a time element. `outer` is the selector of a link or button around the element. */
const createTime = (dateTime: string, outer: string | null = null) => ({
  dateTime,
  dataset: {} as Record<string, string>,
  tabIndex: -1,
  closest: (selector: string) => (selector === 'time' || outer !== null ? {} : null),
  matches: (selector: string) => selector === 'time',
  getBoundingClientRect: () => ({ left: 900 }),
});

/** Runs the script in a page with one age element and one time element. Returns the age element and a dispatcher. */
function runScript(iso: string, time = createTime(iso)) {
  const ageElement = { dataset: { ageOf: iso }, textContent: 'old' };
  const listeners = new Map<string, (event: { target: unknown }) => void>();
  runInNewContext(script, {
    Date: class extends Date {
      static override now = () => NOW;
    },
    document: { querySelectorAll: (selector: string) => (selector === 'time' ? [time] : [ageElement]) },
    setInterval: () => 0,
    addEventListener: (type: string, listener: (event: { target: unknown }) => void) =>
      listeners.set(type, listener),
    innerWidth: 1_000,
  });
  return { ageElement, time, dispatch: (type: string, target: unknown) => listeners.get(type)?.({ target }) };
}

describe('times.js', () => {
  it('has the same formula as the server', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), (ms) => {
        const { textContent } = runScript(new Date(NOW - ms).toISOString()).ageElement;
        expect(textContent).toBe(`${formatDuration(ms)} ago`);
      }),
      // The last and the first age in each unit.
      { examples: [59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000].map((ms) => [ms]) },
    );
  });

  it('shows no negative age if the clock of the reader is slow, and no age for an invalid time', () => {
    expect(runScript('2026-03-04T12:05:00Z').ageElement.textContent).toBe('less than a minute ago');
    expect(runScript('soon').ageElement.textContent).toBe('');
  });

  it('adds the local time of a focused time, inside the window', () => {
    const { time, dispatch } = runScript('2026-03-04T12:05:00Z');
    expect(time.tabIndex).toBe(0);
    dispatch('focusin', time);
    const date = new Date('2026-03-04T12:05:00Z').toLocaleDateString();
    expect(time.dataset).toEqual({
      localTime: expect.stringMatching(`^${date} .*:05.* \\(your time\\)$`) as unknown,
      localSide: 'right',
    });
  });

  it('adds the local time inside a focused link, which stays the only focusable element', () => {
    const time = createTime('2026-03-04T12:05:00Z', 'a');
    const { dispatch } = runScript('2026-03-04T12:05:00Z', time);
    expect(time.tabIndex).toBe(-1);
    dispatch('focusin', {
      matches: (selector: string) => selector !== 'time',
      querySelectorAll: () => [time],
    });
    expect(time.dataset['localTime']).toContain(':05');
  });

  it.each(['2026-03-04', 'soon'])('adds no local time to %s', (dateTime) => {
    const { time, dispatch } = runScript(dateTime);
    dispatch('pointerover', { closest: () => time });
    expect(time).toMatchObject({ dataset: {}, tabIndex: -1 });
  });
});
