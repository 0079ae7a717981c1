import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
/** Colors a text, or returns it unchanged when colors are off. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/**
 * Creates the coloring function for a stream.
 *
 * @param color value of --color or --no-color; undefined detects the terminal and NO_COLOR
 */
export function createPaint(stream: Writable, color: boolean | undefined): Paint {
  if (color === false) return (_, text) => text;
  const options = color === true ? { validateStream: false } : { stream };
  return (style, text) => styleText(typeof style === 'string' ? style : [...style], text, options);
}
