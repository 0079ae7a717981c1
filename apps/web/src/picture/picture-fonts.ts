import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Font of a picture, in the form that `ImageResponse` takes. */
export interface PictureFont {
  readonly name: string;
  readonly data: ArrayBuffer;
  readonly weight: 400 | 700;
  readonly style: 'normal';
}

const WEIGHTS = [400, 700] as const;

let fonts: Promise<readonly PictureFont[]> | undefined;

/** Reads the fonts of the pictures from the installed package. The files are read once, or again after a failure. */
export function readPictureFonts(): Promise<readonly PictureFont[]> {
  fonts ??= Promise.all(WEIGHTS.map(readFont)).catch((error: unknown) => {
    fonts = undefined;
    throw error;
  });
  return fonts;
}

async function readFont(weight: PictureFont['weight']): Promise<PictureFont> {
  // The path begins at the folder of the process, because a bundle has another folder than its source. Without the
  // comments, the bundler would include every file of that folder.
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
