import type { Verdict } from '@touchstone/trust';
import { createElement } from './dom.ts';

/** Function that returns a copy of the image of a grade or recommendation, or its name if the page has no such image. */
export type GetImage = (kind: 'grade' | 'recommendation', name: string) => Node | string;

/** Collects the images of grades and recommendations from the `template` elements of the page. */
export function collectImages(root: ParentNode): GetImage {
  const templates = new Map(
    [...root.querySelectorAll('template')].map(({ dataset, content }) => [toImageKey(dataset), content]),
  );
  return (kind, name) => templates.get(`${kind} ${name}`)?.cloneNode(true) ?? name;
}

function toImageKey({ grade, recommendation }: DOMStringMap): string {
  return grade === undefined ? `recommendation ${recommendation ?? ''}` : `grade ${grade}`;
}

export interface PlaygroundPart {
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
      box.replaceChildren(
        createElement('span', { class: 'shrink-0' }, [getImage('grade', grade)]),
        createElement('span', { class: 'w-[4.2ch] shrink-0 text-4xl leading-none font-bold' }, [
          score.toFixed(1),
        ]),
        createElement('span', { class: 'ml-auto text-right text-sm text-ink-soft' }, [
          createElement('span', { class: 'block text-lg' }, [getImage('recommendation', recommendation)]),
          createElement('span', { class: 'block tabular-nums' }, [
            `range ${scoreRange.low.toFixed(1)} to ${scoreRange.high.toFixed(1)}`,
          ]),
          createElement('span', { class: 'block tabular-nums' }, [`confidence ${confidence.toFixed(2)}`]),
        ]),
      );
    },
  };
}

/** Formats a verdict as a sentence for screen readers. */
export function formatVerdict({ score, grade, recommendation, confidence }: Verdict): string {
  const gradeText = grade === '?' ? 'ungraded' : `grade ${grade}`;
  return `Score ${score.toFixed(1)}, ${gradeText}, ${recommendation}, confidence ${confidence.toFixed(2)}.`;
}
