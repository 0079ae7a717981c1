import { describe, expect, it, vi } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { drawPicture, drawSitePicture, findPicture } from './draw-picture.tsx';
import { createPictureContent } from './picture-layout.tsx';

describe('drawPicture', () => {
  it('draws equal content once, different content differently, and requests nothing from other servers', async () => {
    // The first picture loads the layout engine from a `data:` URL with fetch, so it is drawn before the calls are
    // recorded.
    await drawSitePicture();
    const fetched = vi.spyOn(globalThis, 'fetch');
    const resource = 'https://a.example/🦊/漢字';
    const content = createPictureContent(createTestSnapshot({ resource }));
    expect(findPicture(content)).toBeNull();
    const [one, same] = [drawPicture(content), drawPicture({ ...content })];
    expect(one).not.toBeNull();
    expect(same).toBe(one);
    expect(findPicture(content)).toBe(one);
    const other = await drawPicture({ ...content, grade: 'F' });
    expect(other).not.toEqual(await one);
    expect(fetched.mock.calls).toHaveLength(0);
    fetched.mockRestore();
  });
});

describe('drawPicture under load', () => {
  it('refuses a picture if too many pictures wait, and draws it later', async () => {
    const draw = (resource: string) => drawPicture(createPictureContent(createTestSnapshot({ resource })));
    const requested = Array.from({ length: 40 }, (_, index) => draw(`https://a.example/${index}`));
    expect(requested.at(-1)).toBeNull();
    expect(requested.filter((picture) => picture !== null).length).toBeGreaterThan(1);
    expect(await drawSitePicture()).toBe(await drawSitePicture());
    await requested[0];
    await vi.waitFor(() => expect(draw('https://a.example/39')).not.toBeNull(), { timeout: 20_000 });
  });
});
