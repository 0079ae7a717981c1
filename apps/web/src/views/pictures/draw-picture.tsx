import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ImageResponse } from 'next/og';
import pLimit from 'p-limit';
import type { ReactElement } from 'react';
import {
  EndpointPicture,
  PICTURE_SIZE,
  SitePicture,
  type EndpointPictureContent,
} from './picture-layout.tsx';

type Picture = Uint8Array<ArrayBuffer>;

/** Maximum number of pictures in memory. A picture has about 70 kB. */
const MAX_PICTURES = 200;

/**
 * Pause after each picture, in multiples of its drawing time. Drawing blocks the process, and the process also serves
 * the pages. With this pause, drawing uses a quarter of the time. Very slow drawings use more, because the pause has a
 * maximum.
 */
const PAUSE_FACTOR = 3;
/**
 * Maximum pause after a picture, in milliseconds. The first picture is slow, because it also loads the drawing library.
 */
const MAX_PAUSE_MS = 1_000;

/** Maximum number of pictures that wait to be drawn. */
const MAX_WAITING = 20;
/** Queue of the pictures to draw. One picture is drawn at a time. */
const queue = pLimit(1);

/** Pictures by content. A picture that is being drawn is included, so that concurrent requests share one drawing. */
const pictures = new LRUCache<string, Promise<Picture>>({ max: MAX_PICTURES });

/** Draws the picture of the site as PNG, or returns the stored picture. The picture does not wait in the queue. */
export function drawSitePicture(): Promise<Picture> {
  return pictures.get('site') ?? store('site', draw(<SitePicture />));
}

/** Stores a picture that is being drawn. If the drawing fails, the picture is removed. */
function store(key: string, picture: Promise<Picture>): Promise<Picture> {
  pictures.set(key, picture);
  picture.catch(() => {
    pictures.delete(key);
  });
  return picture;
}

/** Returns the picture of an endpoint if it is stored or being drawn, otherwise null. */
export function findPicture(content: EndpointPictureContent): Promise<Picture> | null {
  return pictures.get(JSON.stringify(content)) ?? null;
}

/**
 * Draws the picture of an endpoint as PNG, or returns the stored picture with the same content.
 *
 * @returns The picture; null if too many pictures wait to be drawn.
 */
export function drawPicture(content: EndpointPictureContent): Promise<Picture> | null {
  const stored = findPicture(content);
  if (stored !== null) return stored;
  const key = JSON.stringify(content);
  const element = <EndpointPicture content={content} />;
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  if (queue.pendingCount >= MAX_WAITING) return null;
  void queue(async () => {
    const startedAt = performance.now();
    await draw(element).then(resolve, reject);
    const pauseMs = Math.min(PAUSE_FACTOR * (performance.now() - startedAt), MAX_PAUSE_MS);
    await setTimeout(pauseMs, undefined, { ref: false });
  });
  return store(key, promise);
}

async function draw(element: ReactElement): Promise<Picture> {
  const fonts = [...(await readPictureFonts())];
  const image = new ImageResponse(element, { ...PICTURE_SIZE, fonts });
  return new Uint8Array(await image.arrayBuffer());
}

/** Font of a picture, in the form that `ImageResponse` takes. */
interface PictureFont {
  readonly name: string;
  readonly data: ArrayBuffer;
  readonly weight: 400 | 700;
  readonly style: 'normal';
}

const WEIGHTS = [400, 700] as const;

let fonts: Promise<readonly PictureFont[]> | undefined;

/** Reads the fonts of the pictures from the installed package. Later calls return the same fonts. */
function readPictureFonts(): Promise<readonly PictureFont[]> {
  return (fonts ??= Promise.all(WEIGHTS.map(readFont)));
}

async function readFont(weight: PictureFont['weight']): Promise<PictureFont> {
  // The path begins at the folder of the process, because a bundled file is in another folder than its source. Without
  // the `turbopackIgnore` comments, the bundler would include every file of that folder.
  const packages = createRequire(join(/* turbopackIgnore: true */ process.cwd(), 'package.json'));
  const file = packages.resolve(`@fontsource/besley/files/besley-latin-${weight}-normal.woff`);
  const { buffer, byteOffset, byteLength } = await readFile(/* turbopackIgnore: true */ file);
  return {
    name: 'Besley',
    data: buffer.slice(byteOffset, byteOffset + byteLength),
    weight,
    style: 'normal',
  };
}
