import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestDispute } from '../../testing/test-dispute.ts';
import { Corrections } from './corrections.tsx';

const render = (...corrections: readonly ReturnType<typeof createTestDispute>[]) =>
  renderToStaticMarkup(<Corrections corrections={corrections} />);
const ANSWER = { answer: 'It is measured again.', answeredAt: '2026-11-02T00:00:00.000Z' } as const;

it('names what was shown, what is right and when, for disputes and for corrections of the operator', () => {
  const upheld = createTestDispute({ state: 'upheld', ...ANSWER });
  const operator = { proof: 'operator', subject: null, text: null, wallet: null } as const;
  const own = createTestDispute({ ...operator, state: 'upheld', ...ANSWER, resource: null, slug: null });
  const text = extractText(render(upheld, own));
  for (const part of [
    ...['Upheld: the verdict was wrong', 'api.example.com', 'Responses are slow.', 'It is measured again.'],
    ...['The operator answered on 2026-11-02', 'Correction by the operator', 'Corrected on 2026-11-02'],
  ])
    expect(text).toContain(part);
});

it('links only endpoints with a public page', () => {
  const link = `href="/endpoint/${createTestDispute().slug ?? ''}#dispute"`;
  expect(render(createTestDispute())).toContain(link);
  const hidden = render(createTestDispute({ slug: null }));
  expect(hidden).not.toContain('href="/endpoint/');
  expect(extractText(hidden)).toContain('api.example.com');
});

it('says that there are no corrections', () => {
  expect(extractText(render())).toContain('Nothing has been corrected');
});
