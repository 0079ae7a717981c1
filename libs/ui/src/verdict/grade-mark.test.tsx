import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { GRADES } from '@touchstone/contract';
import { GradeMark } from './grade-mark.tsx';

describe('GradeMark', () => {
  it('is an image named by its grade', () => {
    expect(renderToStaticMarkup(<GradeMark grade="B" />)).toContain('role="img" aria-label="Grade B"');
    expect(renderToStaticMarkup(<GradeMark grade="?" />)).toContain('aria-label="Ungraded"');
  });

  it('has a different outline for each grade, so that color is not the only difference', () => {
    const outlines = GRADES.map(
      (grade) => / d="([^"]+)"/.exec(renderToStaticMarkup(<GradeMark grade={grade} />))?.[1],
    );
    expect(new Set(outlines).size).toBe(GRADES.length);
  });
});
