import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { formatDuration } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const script = readFileSync(new URL('../../public/age.js', import.meta.url), 'utf8');
const NOW = Date.parse('2026-03-04T12:00:00Z');

/** Runs the script in a page with one age element, and returns this element. */
function runScript(iso: string) {
  const ageElement = { dataset: { ageOf: iso }, textContent: 'old' };
  runInNewContext(script, {
    Date: class extends Date {
      static override now = () => NOW;
    },
    document: { querySelectorAll: (selector: string) => (selector === '[data-age-of]' ? [ageElement] : []) },
    setInterval: () => 0,
  });
  return ageElement;
}

describe('age.js', () => {
  it('has the same formula as the server', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), (ms) => {
        const { textContent } = runScript(new Date(NOW - ms).toISOString());
        expect(textContent).toBe(`${formatDuration(ms)} ago`);
      }),
      // The last and the first age in each unit.
      { examples: [59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000].map((ms) => [ms]) },
    );
  });

  it('shows no negative age if the clock of the reader is slow, and no age for an invalid time', () => {
    expect(runScript('2026-03-04T12:05:00Z').textContent).toBe('less than a minute ago');
    expect(runScript('soon').textContent).toBe('');
  });
});
