import { describe, expect, it } from 'vitest';
import { extractText as toText } from '../../testing/html-text.ts';
import { createTestDispute } from '../../testing/test-dispute.ts';
import { renderReport } from './testing/render-report.tsx';

const ANSWERED = {
  state: 'rejected',
  answer: 'The median is 4 seconds.',
  answeredAt: '2026-11-02T00:00:00.000Z',
} as const;

describe('the disputes of an endpoint', () => {
  it('are shown with their proof and their answer, and only open disputes beside the verdict', () => {
    const text = toText(renderReport({}, {}, { disputes: [createTestDispute({ isFormerWallet: true })] }));
    expect(text).toContain('1 open dispute of this verdict');
    expect(text).toContain('Open: the operator has not answered yet');
    expect(text).toContain('signed by the former payTo wallet 0x2096…287C');
    const answered = toText(renderReport({}, {}, { disputes: [createTestDispute(ANSWERED)] }));
    expect(answered).not.toContain('open dispute of this verdict');
    expect(answered).toContain('Rejected: the verdict was right');
    expect(answered).toContain('The median is 4 seconds.');
  });

  it('escape the words of the provider, and mark them as unverified', () => {
    const html = renderReport(
      {},
      {},
      { disputes: [createTestDispute({ text: '<a href="x">\u202eproof</a>' })] },
    );
    expect(html).toContain('<bdi>&lt;a href=&quot;x&quot;&gt;proof&lt;/a&gt;</bdi>');
    expect(toText(html)).toContain('Words of the provider, unverified');
  });

  it('are absent by default, and the page links the form with the URL of the endpoint', () => {
    const resource = 'https://api.example.com/a?b=c&d=%7B';
    const html = renderReport({ resource, recommendation: 'caution' });
    expect(html).toContain('href="/dispute?resource=https%3A%2F%2Fapi.example.com%2Fa%3Fb%3Dc%26d%3D%257B"');
    expect(toText(html)).not.toContain('Words of the provider');
    expect(renderReport({ resource, recommendation: 'proceed' })).not.toContain('href="/dispute?');
  });
});
