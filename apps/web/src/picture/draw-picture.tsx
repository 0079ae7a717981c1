import { LRUCache } from 'lru-cache';
import { ImageResponse } from 'next/og';
import type { ReactElement } from 'react';
import { createTaskQueue } from '../api/task-queue.ts';
import { EndpointPicture } from './endpoint-picture.tsx';
import type { EndpointPictureContent } from './picture-content.ts';
import { readPictureFonts } from './picture-fonts.ts';
import { PICTURE_SIZE } from './picture-parts.tsx';
import { SitePicture } from './site-picture.tsx';

type Picture = Uint8Array<ArrayBuffer>;

/** Maximum number of pictures in memory. A picture has about 40 kB. */
const MAX_PICTURES = 200;

/** One picture is drawn at a time, because drawing uses the processor only. */
const queue = createTaskQueue({ maxConcurrent: 1, maxWaiting: 50 });

/** Pictures by content. A picture that is being drawn is included, so that it is drawn once for concurrent requests. */
const pictures = new LRUCache<string, Promise<Picture>>({ max: MAX_PICTURES });

/**
 * Draws a picture as PNG, or returns the stored picture with the same content.
 *
 * @param content Content of the picture of an endpoint; null for the picture of the site.
 * @returns The picture; null if too many pictures wait to be drawn.
 */
export function drawPicture(content: EndpointPictureContent | null): Promise<Picture> | null {
  const key = JSON.stringify(content);
  const stored = pictures.get(key);
  if (stored) return stored;
  const element = content === null ? <SitePicture /> : <EndpointPicture content={content} />;
  const drawing = queue(() => draw(element));
  if (drawing === null) return null;
  pictures.set(key, drawing);
  drawing.catch(() => {
    pictures.delete(key);
  });
  return drawing;
}

async function draw(element: ReactElement): Promise<Picture> {
  const fonts = [...(await readPictureFonts())];
  const image = new ImageResponse(element, { ...PICTURE_SIZE, fonts });
  return new Uint8Array(await image.arrayBuffer());
}
