import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../testing/html-text.ts';
import { Alternatives } from './alternatives.tsx';

const render = (count: number | null) => renderToStaticMarkup(<Alternatives count={count} />);

describe('Alternatives', () => {
  it('shows the number and how to get the list', () => {
    expect(extractText(render(3))).toMatch(/Better alternatives 3 .*list for \$0\.005/);
    expect(render(3)).toContain('href="#more"');
  });

  it('shows the maximum of the count as a minimum', () => {
    expect(extractText(render(9))).toContain('Better alternatives 9 ');
    expect(extractText(render(10))).toContain('Better alternatives 10 or more ');
  });

  it('offers no list if there are no alternatives', () => {
    expect(extractText(render(0))).toContain('Better alternatives none');
    expect(render(0)).not.toContain('#more');
  });

  it('distinguishes a missing count from zero', () => {
    expect(extractText(render(null))).toContain('Better alternatives not computed yet');
    expect(render(null)).not.toContain('#more');
  });
});
