import {
  CAP_LIMITS,
  CHANGE_COSTS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  CONFIDENCE,
  FLAG_CATALOGUE,
  GRADE_THRESHOLDS,
  RECOMMENDATION_RULES,
  SCORING_VERSIONS,
} from '@touchstone/trust';
import { getRecommendationText } from '@touchstone/ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../playground/presets.ts';
import { textOf } from '../../test-text.ts';
import { figureWords } from './figure-words.ts';
import { Methodology } from './methodology.tsx';

const html = renderToStaticMarkup(<Methodology origin="https://touchstone.example" />);
const text = textOf(html);

/** The markup of the element with an id, up to the next one of its kind. */
function partOf(id: string, tag: string): string {
  const start = html.indexOf(`<${tag} id="${id}"`);
  if (start === -1) throw new Error(`There is no ${tag} with id ${id}`);
  const end = html.indexOf(`<${tag} id="`, start + 1);
  return html.slice(start, end === -1 ? undefined : end);
}

describe('the methodology', () => {
  it.each(COMPONENTS)('has $component with all its table says', (row) => {
    const part = partOf(`component-${row.component}`, 'article');
    const words = textOf(part);
    for (const said of [row.measures, row.formula, row.unmeasured, `Weight ${String(row.weight)} of 100`]) {
      expect(words).toContain(said);
    }
    for (const [figure, { points }] of Object.entries(row.curves)) {
      const { title, axis, format } = figureWords(figure);
      expect(title).not.toBe(figure);
      expect(words).toContain(axis);
      for (const [x, y] of points) expect(words).toContain(` ${format(x)} ${String(y)} `);
    }
  });

  it('draws what compliance and changes count', () => {
    const compliance = textOf(partOf('component-compliance', 'article'));
    for (const value of Object.values(COMPLIANCE_VALUES)) expect(compliance).toContain(` ${String(value)} `);
    const stability = partOf('component-stability', 'article');
    for (const cost of Object.values(CHANGE_COSTS)) expect(stability).toContain(`0 gives ${String(cost)}`);
  });

  it.each(CAP_LIMITS)('has the cap $rule', ({ rule, limit, explanation }) => {
    const part = textOf(partOf(`cap-${rule}`, 'li'));
    expect(part).toContain(`at most ${String(limit)}`);
    expect(part).toContain(explanation);
  });

  it.each(FLAG_CATALOGUE)('has the flag $slug under an address of its own', (flag) => {
    const part = textOf(partOf(`flag-${flag.slug}`, 'li'));
    for (const said of [flag.slug, flag.message, flag.trigger, flag.fix]) expect(part).toContain(said);
    expect(part.includes('Excludes “proceed”')).toBe(flag.preventsProceed === true);
    expect(part.includes('Not raised for templates')).toBe(flag.notForTemplates === true);
    const group = html.lastIndexOf('id="flags-', html.indexOf(`id="flag-${flag.slug}"`));
    expect(html.slice(group)).toMatch(new RegExp(`^id="flags-${flag.severity}"`));
  });

  it('has the rules of recommendation in their order', () => {
    const part = textOf(html.slice(html.indexOf('<section id="recommendations"')));
    const places = RECOMMENDATION_RULES.map(({ recommendation, rule }) =>
      part.indexOf(`${getRecommendationText(recommendation).label} ${rule}`),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('has grades, confidence and versions as the code has them', () => {
    for (const [grade, floor] of GRADE_THRESHOLDS) {
      expect(html).toContain(`aria-label="Grade ${grade}"`);
      expect(text).toMatch(
        floor === 0 ? /below \d/ : new RegExp(`(from ${String(floor)}|${String(floor)} or more)`),
      );
    }
    for (const said of [CONFIDENCE.observation, CONFIDENCE.economic, CONFIDENCE.overall]) {
      expect(text).toContain(said);
    }
    for (const { version, date, changes } of SCORING_VERSIONS) {
      const part = textOf(partOf(`version-${version}`, 'li'));
      for (const said of [version, date, ...changes]) expect(part).toContain(said);
    }
  });

  it('says how to check a report, by the keys of this very site', () => {
    expect(text).toContain('In a clone of the repository:');
    expect(text).toContain(
      'npx touchstone verify report.json --keys https://touchstone.example/.well-known/touchstone-keys.json',
    );
  });

  it('has every example of the playground, also where no script runs', () => {
    const part = textOf(html.slice(html.indexOf('id="playground-root"')));
    for (const { name } of PRESETS) expect(part).toContain(name);
    expect(part).toContain('needs JavaScript');
  });

  it('leads nowhere that is not on it, and names nothing twice', () => {
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  it('keeps to a policy without inline styles and scripts', () => {
    expect(html).not.toMatch(/\sstyle=|<script|\son[a-z]+=/);
  });
});
