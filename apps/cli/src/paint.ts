import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
/** Colors a text, or leaves it as it is. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/**
 * How to color what goes to a stream.
 *
 * @param wish true and false are the user's word; undefined leaves it to the terminal and to NO_COLOR
 */
export function createPaint(stream: Writable, wish: boolean | undefined): Paint {
  if (wish === false) return (_, text) => text;
  const options = wish === true ? { validateStream: false } : { stream };
  return (style, text) => styleText(typeof style === 'string' ? style : [...style], text, options);
}
