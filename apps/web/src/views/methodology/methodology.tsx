import { SCORING_VERSION } from '@touchstone/trust';
import { PageFrame } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { Brief } from './brief.tsx';
import { Caps } from './caps.tsx';
import { Components } from './components.tsx';
import { Confidence } from './confidence.tsx';
import { Flags } from './flags.tsx';
import { Grades } from './grades.tsx';
import { Measured } from './measured.tsx';
import { PlaygroundSection } from './playground-section.tsx';
import { Recommendations } from './recommendations.tsx';
import { Recompute } from './recompute.tsx';
import { Versions } from './versions.tsx';

/** Sections of the methodology page, in order. The table of contents is generated from these sections. */
const SECTIONS: readonly {
  readonly id: string;
  readonly title: string;
  readonly content: (props: { readonly origin: string }) => ReactNode;
  readonly className?: string;
}[] = [
  { id: 'brief', title: 'Summary', content: Brief },
  { id: 'components', title: 'The six components', content: Components },
  { id: 'caps', title: 'Caps', content: Caps },
  { id: 'grades', title: 'Grades', content: Grades },
  { id: 'confidence', title: 'Confidence, range and projection', content: Confidence },
  { id: 'recommendations', title: 'Recommendations', content: Recommendations },
  { id: 'playground', title: 'Playground', content: PlaygroundSection, className: 'print:hidden' },
  { id: 'flags', title: 'Flags', content: Flags },
  { id: 'measured', title: 'Measured and not measured', content: Measured },
  { id: 'recompute', title: 'Verify a report', content: Recompute },
  { id: 'versions', title: 'Versions of the formula', content: Versions },
];

/**
 * Methodology page of the score. It is rendered from the tables that the score formula uses.
 *
 * @param origin Public origin of the site, without a path.
 */
export function Methodology({ origin }: { readonly origin: string }) {
  return (
    <PageFrame current="methodology">
      <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">
        How the trust score is computed
      </h1>
      <p className="mt-5 max-w-3xl text-lg text-ink-soft">
        Every score is computed from measurements with one published formula, version {SCORING_VERSION}, which
        is the same for every endpoint. No language model is involved, and no provider can pay for a better
        score. This page is generated from the tables of the running code, so both always agree.
      </p>
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Contents />
        <div className="min-w-0 space-y-16">
          {SECTIONS.map(({ id, title, content: Content, className = '' }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className={className}>
              <h2 id={`${id}-title`} className="text-2xl font-bold sm:text-3xl">
                {title}
              </h2>
              <Content origin={origin} />
            </section>
          ))}
        </div>
      </div>
    </PageFrame>
  );
}

function Contents() {
  return (
    <nav aria-label="On this page" className="text-sm lg:sticky lg:top-8 lg:self-start print:hidden">
      <p className="font-semibold">On this page</p>
      <ul className="mt-2 grid grid-cols-2 gap-x-6 border-t border-line lg:grid-cols-1">
        {SECTIONS.map(({ id, title }) => (
          <li key={id} className="border-b border-line">
            <a href={`#${id}`} className="block py-2 no-underline hover:underline">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
