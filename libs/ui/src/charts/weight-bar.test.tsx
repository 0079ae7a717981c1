import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WeightBar } from './weight-bar.tsx';

it('is as long as the weight, from 0 to 100', () => {
  expect(renderToStaticMarkup(<WeightBar weight={30} />)).toContain('<rect width="30"');
  expect(renderToStaticMarkup(<WeightBar weight={300} />)).toMatch(/(<rect width="100".*){2}/);
  expect(renderToStaticMarkup(<WeightBar weight={-1} />)).toContain('<rect width="0"');
});
