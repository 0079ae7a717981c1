import { describe, expect, it } from 'vitest';
import { createPageMetadata } from './create-page-metadata.ts';

const PAGE = { title: 'Leaderboard', description: 'The best endpoints.', path: '/trust/leaderboard' };

describe('createPageMetadata', () => {
  it('sets title, description and URL for search engines and for link previews', () => {
    const metadata = createPageMetadata({
      ...PAGE,
      indexed: true,
      picture: '/picture/one.png',
      formats: { 'application/json': PAGE.path },
    });
    expect(metadata).toEqual({
      title: { absolute: 'Leaderboard · Touchstone' },
      description: PAGE.description,
      alternates: { canonical: PAGE.path, types: { 'application/json': PAGE.path } },
      openGraph: {
        type: 'website',
        siteName: 'Touchstone',
        locale: 'en',
        title: 'Leaderboard · Touchstone',
        description: PAGE.description,
        url: PAGE.path,
        images: [{ url: '/picture/one.png', width: 1200, height: 630, alt: 'Leaderboard · Touchstone' }],
      },
      twitter: {
        card: 'summary_large_image',
        title: 'Leaderboard · Touchstone',
        description: PAGE.description,
        images: ['/picture/one.png'],
      },
    });
  });

  it('keeps a complete title, and lets search engines only follow the links of a page that is not indexed', () => {
    const complete = { title: 'Touchstone: scores', titleIsComplete: true };
    const metadata = createPageMetadata({ ...PAGE, ...complete, indexed: false });
    expect(metadata.title).toEqual({ absolute: 'Touchstone: scores' });
    expect(metadata.robots).toEqual({ index: false, follow: true });
    expect(metadata.twitter?.images).toEqual(['/picture/site.png']);
  });

  it('removes control characters from untrusted text, and limits its length', () => {
    const text = `${'word '.repeat(60)}\u202e\u0000`;
    const { title, description } = createPageMetadata({
      ...PAGE,
      title: `a\u202e\nb`,
      description: text,
      indexed: true,
    });
    expect(title).toEqual({ absolute: 'a b · Touchstone' });
    expect(description).toHaveLength(200);
    expect(description).toMatch(/^[\w ]*…$/);
  });
});
