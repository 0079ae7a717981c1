import { formatConfidence, formatGradedScore, formatNumber, formatScore } from '@touchstone/common';
import type { ComponentScore, Verdict } from '@touchstone/trust';
import { createElement, createSvgElement } from '../../../page-parts/dom.ts';

/**
 * Function that returns a copy of the image of a grade or recommendation. If the page has no image, the function
 * returns the name.
 */
type GetImage = (kind: 'grade' | 'recommendation', name: string) => Node | string;

/** Collects the images of grades and recommendations from the `template` elements of the page. */
export function collectImages(root: ParentNode): GetImage {
  const templates = [...root.querySelectorAll('template')];
  return (kind, name) =>
    templates.find(({ dataset }) => dataset[kind] === name)?.content.cloneNode(true) ?? name;
}

interface PlaygroundPart {
  readonly element: HTMLElement;
  show(verdict: Verdict): void;
}

/** Creates the summary of a verdict: grade, score, recommendation, range and confidence. */
export function createSummary(getImage: GetImage): PlaygroundPart {
  const box = createElement('div', {
    class: 'flex items-center gap-4 border border-line bg-panel px-4 py-3',
    'data-testid': 'playground-result',
  });
  return {
    element: box,
    show: ({ grade, score, scoreRange, recommendation, confidence }) => {
      const points = formatGradedScore({ grade, score });
      box.replaceChildren(
        createElement('span', { class: 'shrink-0' }, [getImage('grade', grade)]),
        createElement('span', { class: 'w-[4.2ch] shrink-0 text-4xl leading-none font-bold' }, [
          points ?? '',
        ]),
        createElement('span', { class: 'ml-auto text-right text-sm text-ink-soft' }, [
          createElement('span', { class: 'block text-lg' }, [getImage('recommendation', recommendation)]),
          createElement('span', { class: 'block tabular-nums' }, [
            points === null
              ? 'no score'
              : `range ${formatScore(scoreRange.low)} to ${formatScore(scoreRange.high)}`,
          ]),
          createElement('span', { class: 'block tabular-nums' }, [
            `confidence ${formatConfidence(confidence)}`,
          ]),
        ]),
      );
    },
  };
}

/** Formats a verdict as a sentence for screen readers. */
export function formatVerdict({ score, grade, recommendation, confidence }: Verdict): string {
  const points = formatGradedScore({ grade, score });
  const rating = points === null ? 'No score, ungraded' : `Score ${points}, grade ${grade}`;
  return `${rating}, ${recommendation}, confidence ${formatConfidence(confidence)}.`;
}

/** Creates the detailed view of a verdict: reasons, components, caps and flags. */
export function createBreakdown(): PlaygroundPart {
  const box = createElement('div', { class: 'space-y-6' });
  return {
    element: box,
    show: ({ reasons, components, caps, flags }) => {
      box.replaceChildren(
        createSection('Reasons', [createList(reasons.map((reason) => [reason]))]),
        createSection('Components', [createComponentList(components)]),
        createSection('Caps', [
          caps.length === 0
            ? createNote('No cap applies.')
            : createList(caps.map(({ limit, explanation }) => [`At most ${String(limit)}. ${explanation}`])),
        ]),
        createSection('Flags', [
          flags.length === 0 ? createNote('No flags.') : createList(flags.map(createFlagItem)),
        ]),
      );
    },
  };
}

function createSection(title: string, children: readonly Node[]): HTMLElement {
  return createElement('div', {}, [
    createElement('h3', { class: 'pb-1 text-base font-semibold' }, [title]),
    ...children,
  ]);
}

function createNote(text: string): HTMLElement {
  return createElement('p', { class: 'text-ink-soft' }, [text]);
}

function createList(items: readonly (readonly (Node | string)[])[]): HTMLElement {
  return createElement(
    'ul',
    { class: 'space-y-1' },
    items.map((children) => createElement('li', {}, children)),
  );
}

function createFlagItem({ slug, severity, message }: Verdict['flags'][number]): (Node | string)[] {
  return [
    createElement(
      'span',
      { class: severity === 'error' ? 'font-semibold text-bad' : 'font-semibold text-warn' },
      [severity === 'error' ? 'Error' : 'Warning'],
    ),
    ' ',
    createElement('a', { href: `#flag-${slug}`, class: 'font-mono text-sm' }, [slug]),
    createElement('span', { class: 'block text-sm text-ink-soft' }, [message]),
  ];
}

function createComponentList(components: readonly ComponentScore[]): HTMLElement {
  const heaviest = Math.max(...components.map(({ weight }) => weight));
  return createElement(
    'dl',
    {},
    components.map((component) =>
      createElement('div', { class: 'border-t border-line py-2' }, [
        createElement('dt', { class: 'flex justify-between gap-4' }, [
          createElement('span', { class: 'capitalize' }, [component.component]),
          createElement('span', { class: 'text-sm text-ink-soft tabular-nums' }, [formatPoints(component)]),
        ]),
        createElement('dd', {}, [
          createBar(component, heaviest),
          createElement('p', { class: 'mt-1 text-sm text-ink-soft' }, [component.explanation]),
        ]),
      ]),
    ),
  );
}

function formatPoints({ value, points, weight }: ComponentScore): string {
  return value === null
    ? `not measured, weight ${String(weight)}`
    : `weight ${String(weight)}, adds ${formatNumber(points)} points`;
}

/**
 * Creates the bar of a score component. The length of the bar is the weight, and its filled part is the value. An
 * unmeasured component has only an outline.
 */
function createBar({ value, weight }: ComponentScore, heaviest: number): SVGElement {
  const width = (100 * weight) / heaviest;
  const bar = { y: '0.5', height: '5' };
  return createSvgElement(
    'svg',
    {
      viewBox: '0 0 100 6',
      preserveAspectRatio: 'none',
      class: 'mt-1 h-2 w-full',
      'aria-hidden': 'true',
    },
    value === null
      ? [
          createSvgElement('rect', {
            ...bar,
            width: String(width),
            class: 'fill-transparent stroke-edge',
            'vector-effect': 'non-scaling-stroke',
          }),
        ]
      : [
          createSvgElement('rect', { ...bar, width: String(width), class: 'fill-line' }),
          createSvgElement('rect', { ...bar, width: String(width * value), class: 'fill-accent' }),
        ],
  );
}
