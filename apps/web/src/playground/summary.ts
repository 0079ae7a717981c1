import type { Verdict } from '@touchstone/trust';
import { element } from './dom.ts';

/** A drawing that the page brought along for the script, so that it looks as everywhere else. */
export type Drawing = (kind: 'grade' | 'recommendation', name: string) => Node | string;

/** Takes the drawings out of the templates of the page; one that is missing is replaced by its name. */
export function drawingsIn(root: ParentNode): Drawing {
  const templates = new Map(
    [...root.querySelectorAll('template')].map(({ dataset, content }) => [keyOf(dataset), content]),
  );
  return (kind, name) => templates.get(`${kind} ${name}`)?.cloneNode(true) ?? name;
}

function keyOf({ grade, recommendation }: DOMStringMap): string {
  return grade === undefined ? `recommendation ${recommendation ?? ''}` : `grade ${grade}`;
}

export interface Part {
  readonly element: HTMLElement;
  show(verdict: Verdict): void;
}

/** Grade, score and recommendation in one line that stays in sight. */
export function createSummary(drawing: Drawing): Part {
  const box = element('div', {
    class: 'flex items-center gap-4 border border-line bg-panel px-4 py-3',
    'data-testid': 'playground-result',
  });
  return {
    element: box,
    show: ({ grade, score, scoreRange, recommendation, confidence }) => {
      box.replaceChildren(
        element('span', { class: 'shrink-0' }, [drawing('grade', grade)]),
        element('span', { class: 'w-[4.2ch] shrink-0 text-4xl leading-none font-bold' }, [score.toFixed(1)]),
        element('span', { class: 'ml-auto text-right text-sm text-ink-soft' }, [
          element('span', { class: 'block text-lg' }, [drawing('recommendation', recommendation)]),
          element('span', { class: 'block tabular-nums' }, [
            `${scoreRange.low.toFixed(1)} to ${scoreRange.high.toFixed(1)} possible`,
          ]),
          element('span', { class: 'block tabular-nums' }, [`confidence ${confidence.toFixed(2)}`]),
        ]),
      );
    },
  };
}

/** The verdict in a sentence, for those who hear it. */
export function sentenceOf({ score, grade, recommendation, confidence }: Verdict): string {
  const words = grade === '?' ? 'ungraded' : `grade ${grade}`;
  return `Score ${score.toFixed(1)}, ${words}, ${recommendation}, confidence ${confidence.toFixed(2)}.`;
}
