import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

/** Minimum contrast of text (WCAG 2.2, criterion 1.4.3). */
const MIN_TEXT_CONTRAST = 4.5;
/** Minimum contrast of edges and focus rings (WCAG 2.2, criterion 1.4.11). */
const MIN_EDGE_CONTRAST = 3;

const TEXT_TOKENS = ['ink', 'ink-soft', 'accent', 'good', 'warn', 'bad'] as const;
const STONE_TEXT_TOKENS = ['stone-ink', 'stone-soft', 'stone-good', 'stone-warn', 'stone-bad'] as const;

/** Returns the colors that a CSS block defines, by the name of the custom property. */
function readColors(block: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, token = '', color = '']) => [token, color]),
  );
}

const [, light = '', dark = ''] = css.split(':root {').map((part) => part.split('}')[0]);
const SCHEMES = [
  { scheme: 'light', colors: readColors(light) },
  { scheme: 'dark', colors: { ...readColors(light), ...readColors(dark) } },
];

/** Returns the custom property that a CSS rule uses for a property. */
function findToken(selector: string, property: string): string {
  const at = css.indexOf(`  ${selector} {`);
  const rule = at < 0 ? '' : css.slice(at, css.indexOf('}', at));
  return new RegExp(`[ ;]${property}: [^;]*var\\(--([\\w-]+)\\)`).exec(rule)?.[1] ?? 'none';
}

/** Returns the relative luminance of a color (WCAG 2.2). */
function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function computeContrast(one = '', other = ''): number {
  const [low = 0, high = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(SCHEMES)('theme colors of the $scheme scheme', ({ colors }) => {
  it.each(['ground', 'panel'] as const)('are legible on %s', (background) => {
    for (const token of [...TEXT_TOKENS, findToken('a:hover', 'color')])
      expect(computeContrast(colors[token], colors[background]), token).toBeGreaterThan(MIN_TEXT_CONTRAST);
    for (const token of ['edge', findToken(':focus-visible', 'outline')])
      expect(computeContrast(colors[token], colors[background]), token).toBeGreaterThan(MIN_EDGE_CONTRAST);
  });

  it('are legible on stone, also of a hovered link and a focus ring', () => {
    for (const token of [...STONE_TEXT_TOKENS, findToken('.bg-stone a:hover', 'color')])
      expect(computeContrast(colors[token], colors['stone']), token).toBeGreaterThan(MIN_TEXT_CONTRAST);
    const ring = findToken('button.bg-stone:focus-visible', 'outline-color');
    expect(computeContrast(colors[ring], colors['stone']), ring).toBeGreaterThan(MIN_EDGE_CONTRAST);
  });
});
