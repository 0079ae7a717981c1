import type { ComponentScore, Verdict } from '@touchstone/trust';
import { drawn, element } from './dom.ts';
import type { Part } from './summary.ts';

/** Why the score is what it is: reasons, components, caps, flags. */
export function createBreakdown(): Part {
  const box = element('div', { class: 'space-y-6' });
  return {
    element: box,
    show: ({ reasons, components, caps, flags }) => {
      box.replaceChildren(
        section('Why', [list(reasons.map((reason) => [reason]))]),
        section('Points', [componentList(components)]),
        section('Caps', [
          caps.length === 0
            ? none('No cap applies.')
            : list(caps.map(({ limit, explanation }) => [`At most ${String(limit)}. ${explanation}`])),
        ]),
        section('Flags', [flags.length === 0 ? none('No flag is raised.') : list(flags.map(flagOf))]),
      );
    },
  };
}

function section(title: string, children: readonly Node[]): HTMLElement {
  return element('div', {}, [element('h3', { class: 'pb-1 font-semibold' }, [title]), ...children]);
}

function none(text: string): HTMLElement {
  return element('p', { class: 'text-ink-soft' }, [text]);
}

function list(items: readonly (readonly (Node | string)[])[]): HTMLElement {
  return element(
    'ul',
    { class: 'space-y-1' },
    items.map((children) => element('li', {}, children)),
  );
}

function flagOf({ slug, severity, message }: Verdict['flags'][number]): (Node | string)[] {
  return [
    element('span', { class: severity === 'error' ? 'font-semibold text-bad' : 'font-semibold text-warn' }, [
      severity === 'error' ? 'Error' : 'Warning',
    ]),
    ' ',
    element('a', { href: `#flag-${slug}`, class: 'font-mono text-sm' }, [slug]),
    element('span', { class: 'block text-sm text-ink-soft' }, [message]),
  ];
}

function componentList(components: readonly ComponentScore[]): HTMLElement {
  const heaviest = Math.max(...components.map(({ weight }) => weight));
  return element(
    'dl',
    {},
    components.map((component) =>
      element('div', { class: 'border-t border-line py-2' }, [
        element('dt', { class: 'flex justify-between gap-4' }, [
          element('span', { class: 'capitalize' }, [component.component]),
          element('span', { class: 'text-sm text-ink-soft tabular-nums' }, [pointsOf(component)]),
        ]),
        element('dd', {}, [
          barOf(component, heaviest),
          element('p', { class: 'mt-1 text-sm text-ink-soft' }, [component.explanation]),
        ]),
      ]),
    ),
  );
}

function pointsOf({ value, points, weight }: ComponentScore): string {
  return value === null
    ? `not measured, weight ${String(weight)}`
    : `${points.toFixed(2)} points, weight ${String(weight)}`;
}

/** As long as the component weighs, filled as far as its value goes; one that was not measured is an outline. */
function barOf({ value, weight }: ComponentScore, heaviest: number): SVGElement {
  const width = (100 * weight) / heaviest;
  const bar = { y: '0.5', height: '5' };
  return drawn(
    'svg',
    {
      viewBox: '0 0 100 6',
      preserveAspectRatio: 'none',
      class: 'mt-1 h-2 w-full',
      'aria-hidden': 'true',
    },
    value === null
      ? [
          drawn('rect', {
            ...bar,
            width: String(width),
            class: 'fill-transparent stroke-edge',
            'vector-effect': 'non-scaling-stroke',
          }),
        ]
      : [
          drawn('rect', { ...bar, width: String(width), class: 'fill-line' }),
          drawn('rect', { ...bar, width: String(width * value), class: 'fill-accent' }),
        ],
  );
}
