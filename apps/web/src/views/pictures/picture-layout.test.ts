import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { createPictureContent, toDrawableText } from './picture-layout.tsx';

/** Strings of arbitrary UTF-16 code units, including lone surrogates. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((codes) => String.fromCharCode(...codes));

describe('createPictureContent', () => {
  it('selects the figures of the endpoint page', () => {
    expect(createPictureContent(createTestSnapshot())).toEqual({
      grade: 'A',
      gradeName: 'Grade A',
      gradeVariant: 'solid',
      score: '87.4',
      recommendation: 'proceed',
      resource: 'api.example.com/weather',
      uptime: 'Uptime, 30 days: 99.9 %',
      day: '2026-03-04',
    });
    expect(createPictureContent(createTestSnapshot({ uptime30d: null })).uptime).toBe('Uptime not measured');
  });

  it('is equal for snapshots that differ only in figures that the picture does not show', () => {
    const one = createPictureContent(createTestSnapshot({ probes30d: 1, latencyMs: 2 }));
    expect(createPictureContent(createTestSnapshot({ probes30d: 9, latencyMs: 8 }))).toEqual(one);
  });

  it('contains only drawable text for every untrusted URL', () => {
    fc.assert(
      fc.property(
        codeUnits,
        fc.constantFrom(...GRADES),
        fc.constantFrom(...RECOMMENDATIONS),
        (resource, grade, recommendation) => {
          const content = createPictureContent(createTestSnapshot({ resource, grade, recommendation }));
          expect(Object.values(content).join('')).toMatch(/^[\x20-\x7e]*$/);
          expect(content.resource.length).toBeLessThanOrEqual(110);
        },
      ),
    );
  });
});

describe('toDrawableText', () => {
  it('keeps short ASCII, replaces other characters, and marks a shortened text', () => {
    expect(toDrawableText('a.example/{id}?q=1', 20)).toBe('a.example/{id}?q=1');
    expect(toDrawableText('a🦊b\u0000c', 20)).toBe('a?b?c');
    expect(toDrawableText('abcdefghij', 8)).toBe('abcde...');
  });
});
