import { GRADE_THRESHOLDS } from '@touchstone/contract';
import {
  CAP_LIMITS,
  CHANGE_COSTS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  CONFIDENCE,
  FLAG_CATALOGUE,
  MAX_PERCENTILE_ERROR_PERCENT,
  RECOMMENDATION_RULES,
  SCORING_VERSIONS,
} from '@touchstone/trust';
import { describeRecommendation } from '@touchstone/ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PRESETS } from './playground/presets.ts';
import { extractText } from '../../testing/html-text.ts';
import { ComponentWeights, getFigureText } from './components.tsx';
import { Methodology } from './methodology.tsx';

const html = renderToStaticMarkup(<Methodology origin="https://touchstone.example" />);
const text = extractText(html);

/** Returns the markup from the element with this id to the next element of the same tag that has any id. */
function findElement(id: string, tag: string): string {
  const start = html.indexOf(`<${tag} id="${id}"`);
  if (start === -1) throw new Error(`There is no ${tag} with id ${id}`);
  const end = html.indexOf(`<${tag} id="`, start + 1);
  return html.slice(start, end === -1 ? undefined : end);
}

describe('Methodology', () => {
  it.each(COMPONENTS)('has every text of the component $component', (row) => {
    const part = findElement(`component-${row.component}`, 'article');
    const partText = extractText(part);
    for (const expected of [
      row.measures,
      row.formula,
      row.unmeasured,
      `Weight ${String(row.weight)} of 100`,
    ]) {
      expect(partText).toContain(expected);
    }
    for (const [figure, { points }] of Object.entries(row.curves)) {
      const { title, axis, format } = getFigureText(figure);
      expect(title).not.toBe(figure);
      expect(partText).toContain(axis);
      for (const [x, y] of points) expect(partText).toContain(` ${format(x)} ${String(y)} `);
    }
  });

  it('says how the flags about delivery are raised, and links the purchases', () => {
    const part = findElement('delivery', 'section');
    const names = FLAG_CATALOGUE.map(({ slug }) => slug).filter((slug) => /deliver|buyers/.test(slug));
    expect(names).toEqual(['paid-not-delivered', 'delivery-mixed', 'buyers-report-failures']);
    for (const name of names) expect(part).toContain(name);
    expect(part).toContain('never part of the score');
    expect(part).toContain('href="/delivery"');
  });

  it('shows the values of compliance and of changes', () => {
    const compliance = extractText(findElement('component-compliance', 'article'));
    for (const value of Object.values(COMPLIANCE_VALUES)) expect(compliance).toContain(` ${String(value)} `);
    const stability = findElement('component-stability', 'article');
    for (const cost of Object.values(CHANGE_COSTS)) expect(stability).toContain(`0 gives ${String(cost)}`);
  });

  it.each(CAP_LIMITS)('has the cap $rule', ({ rule, limit, explanation }) => {
    const part = extractText(findElement(`cap-${rule}`, 'li'));
    expect(part).toContain(`at most ${String(limit)}`);
    expect(part).toContain(explanation);
  });

  it.each(FLAG_CATALOGUE)('has the flag $slug with its own anchor', (flag) => {
    const part = extractText(findElement(`flag-${flag.slug}`, 'li'));
    for (const expected of [flag.slug, flag.message, flag.trigger, flag.fix])
      expect(part).toContain(expected);
    expect(part.includes('Prevents “proceed”.')).toBe(flag.preventsProceed === true);
    expect(part.includes('Not for URL templates.')).toBe(flag.notForTemplates === true);
    const group = html.lastIndexOf('id="flags-', html.indexOf(`id="flag-${flag.slug}"`));
    expect(html.slice(group)).toMatch(new RegExp(`^id="flags-${flag.severity}"`));
  });

  it('has the rules of the recommendation in order', () => {
    const part = extractText(html.slice(html.indexOf('<section id="recommendations"')));
    const positions = RECOMMENDATION_RULES.map(({ recommendation, rule }) =>
      part.indexOf(`${describeRecommendation(recommendation).label} ${rule}`),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
  });

  it('has the grades, confidence formulas and versions of the code', () => {
    for (const [grade, floor] of GRADE_THRESHOLDS) {
      expect(html).toContain(`aria-label="Grade ${grade}"`);
      expect(text).toMatch(
        floor === 0 ? /below \d/ : new RegExp(`(from ${String(floor)}|${String(floor)} or more)`),
      );
    }
    for (const expected of [CONFIDENCE.observation, CONFIDENCE.economic, CONFIDENCE.overall]) {
      expect(text).toContain(expected);
    }
    for (const { version, date, changes } of SCORING_VERSIONS) {
      const part = extractText(findElement(`version-${version}`, 'li'));
      for (const expected of [version, date, ...changes]) expect(part).toContain(expected);
    }
  });

  it('has the error of the percentiles, the order of rankings and the projection', () => {
    const latency = extractText(findElement('component-latency', 'article'));
    expect(latency).toContain(`at most ${String(MAX_PERCENTILE_ERROR_PERCENT)} % too low or too high`);
    expect(text).toContain('ordered by the lower bound of the range');
    expect(text).toContain('projects the score 30 days ahead: the last 24 hours repeat');
  });

  it('shows the weights of the components', () => {
    const weights = extractText(renderToStaticMarkup(<ComponentWeights />));
    for (const { component, weight, measures } of COMPONENTS) {
      expect(weights.toLowerCase()).toContain(`${component} ${String(weight)} of 100 points`);
      expect(weights).toContain(measures);
    }
  });

  it('explains how to verify a report with the keys of this site', () => {
    expect(text).toContain(
      'npx @touchstone/cli verify report.json --keys https://touchstone.example/.well-known/touchstone-keys.json',
    );
  });

  it('allows the private address of the keys of a service on this machine', () => {
    const local = extractText(renderToStaticMarkup(<Methodology origin="http://localhost:3000" />));
    expect(local).toContain('http://localhost:3000/.well-known/touchstone-keys.json --allow-private');
  });

  it('has every example of the playground without JavaScript', () => {
    const part = extractText(html.slice(html.indexOf('id="playground-root"')));
    expect(part).toContain('Never probed Unverified no score');
    for (const { name } of PRESETS) expect(part).toContain(name);
    expect(part).toContain('needs JavaScript');
  });

  it('has unique ids and no broken anchor link', () => {
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});
