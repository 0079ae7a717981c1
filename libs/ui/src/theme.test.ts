import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

/** Minimum contrast of text (WCAG 2.2, criterion 1.4.3). */
const MIN_TEXT_CONTRAST = 4.5;
/** Minimum contrast of edges and focus rings (WCAG 2.2, criterion 1.4.11). */
const MIN_EDGE_CONTRAST = 3;

const TEXT_TOKENS = ['ink', 'ink-soft', 'accent', 'good', 'warn', 'bad'] as const;
const STONE_TEXT_TOKENS = ['stone-ink', 'stone-soft'] as const;

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

/** Returns the three channels of a color in linear light, 0 to 1. */
function toLinearRgb(color: string): readonly number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** Returns the relative luminance of a color (WCAG 2.2). */
function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toLinearRgb(color);
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

/** Colors of the series of each kind of chart. */
const CHART_TOKENS: Readonly<Record<string, readonly string[]>> = {
  grades: ['gold', 'silver', 'copper', 'iron', 'rust', 'slate'],
  recommendations: ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'].map(
    (name) => `chart-${name}`,
  ),
  networks: ['1', '2', '3', '4', 'other', 'none'].map((name) => `chart-network-${name}`),
};

/** Minimum distance of two colors in the color space Oklab. Colors at a distance of 0.02 already look different. */
const MIN_COLOR_DISTANCE = 0.07;

/** Colors as people with deuteranopia see them, as a matrix for linear RGB (Machado, Oliveira and Fernandes 2009). */
const DEUTERANOPIA = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];

/** Returns a color in Oklab, as seen with full color vision or with deuteranopia. */
function toOklab(color: string, vision: 'full' | 'deuteranopia'): readonly number[] {
  const linear = toLinearRgb(color);
  const seen =
    vision === 'full'
      ? linear
      : multiply(DEUTERANOPIA, linear).map((value) => Math.min(1, Math.max(0, value)));
  const cones = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  );
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt),
  );
}

/** Returns the distance of two colors in Oklab, as seen with full color vision or with deuteranopia. */
function computeDistance(one = '', other = '', vision: 'full' | 'deuteranopia' = 'full'): number {
  const second = toOklab(other, vision);
  return Math.hypot(...toOklab(one, vision).map((value, axis) => value - (second[axis] ?? 0)));
}

function multiply(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  return matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * (vector[index] ?? 0), 0));
}

describe.each(SCHEMES)('the color of the recommendation Caution in the $scheme scheme', ({ colors }) => {
  it.each(['gold', 'good', 'ink', 'ink-soft'])('differs from %s', (name) => {
    for (const vision of ['full', 'deuteranopia'] as const)
      expect(computeDistance(colors['warn'], colors[name], vision)).toBeGreaterThan(MIN_COLOR_DISTANCE);
  });
});

describe.each(SCHEMES)('chart colors of the $scheme scheme', ({ colors }) => {
  const tokens = Object.entries(CHART_TOKENS).flatMap(([chart, names]) =>
    names.map((name) => ({ chart, name })),
  );
  const pairs = tokens.flatMap((one, index) => tokens.slice(0, index).map((other) => ({ one, other })));
  const listAlike = (list: typeof pairs, vision: 'full' | 'deuteranopia') =>
    list.filter(({ one, other }) => {
      return computeDistance(colors[one.name], colors[other.name], vision) < MIN_COLOR_DISTANCE;
    });

  it('differ from each other wherever their meaning differs', () => {
    expect(listAlike(pairs, 'full')).toEqual([]);
  });

  it('differ within each chart for people with deuteranopia', () => {
    expect(
      listAlike(
        pairs.filter(({ one, other }) => one.chart === other.chart),
        'deuteranopia',
      ),
    ).toEqual([]);
  });

  it('are visible on stone', () => {
    for (const { name } of tokens)
      expect(computeContrast(colors[name], colors['stone']), name).toBeGreaterThan(MIN_EDGE_CONTRAST);
  });
});
