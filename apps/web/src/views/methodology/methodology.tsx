import { KEY_SET_PATH } from '@touchstone/contract';
import { CONFIDENCE, SCORING_VERSION, SCORING_VERSIONS, WINDOW_DAYS } from '@touchstone/trust';
import { PageFrame } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { formatCommand, isOnThisMachine } from '../../operations/documents/cli-command.ts';
import { CodeBlock, CommandHint, CopyScript } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import { ComponentWeights, Components } from './components.tsx';
import { Confidence, Measured } from './confidence.tsx';
import { Delivery } from './delivery.tsx';
import { PlaygroundSection } from './playground-section.tsx';
import { Caps, Flags, Grades, Recommendations } from './rules.tsx';

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
  { id: 'delivery', title: 'Delivery', content: Delivery },
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
      <h1>How the trust score is computed</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Every score is computed from measurements with one published formula, version {SCORING_VERSION}, which
        is the same for every endpoint. No language model is involved, and no provider can pay for a better
        score. This page is generated from the tables of the running code, so both always agree.
      </p>
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Contents />
        <div className="min-w-0 space-y-16">
          {SECTIONS.map(({ id, title, content: Content, className = '' }) => (
            <Section key={id} id={id} title={title} className={className}>
              <Content origin={origin} />
            </Section>
          ))}
        </div>
      </div>
      <CopyScript />
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

/** Score formula as a sentence and in mathematical notation, with an explanation of each part of its result. */
function Brief() {
  return (
    <>
      <p className="mt-4 max-w-3xl text-lg">
        The score is the weighted mean of the components measured over the last {WINDOW_DAYS} days, from 0 to
        100. The lowest cap that applies limits it.
      </p>
      <Formula />
      <div className="mt-8 grid gap-x-14 gap-y-10 xl:grid-cols-[1.3fr_1fr]">
        <ComponentWeights />
        <HowToRead />
      </div>
    </>
  );
}

function Formula() {
  return (
    <div className="mt-6 overflow-hidden rounded-sm border border-stone-line bg-stone px-4 py-6 text-stone-ink sm:px-8">
      <p
        role="math"
        aria-label="score = minimum of the caps that apply and of 100 times the sum of weight times value over the measured components, divided by the sum of their weights"
        className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-lg sm:text-2xl"
      >
        <span>score = min</span>
        <span className="flex items-center gap-x-2">
          <span className="text-4xl font-light sm:text-5xl">(</span>
          <span>100 ×</span>
          <span className="inline-flex flex-col text-center">
            <span className="border-b border-stone-soft px-2 pb-1">Σ weight · value</span>
            <span className="px-2 pt-1">Σ weight</span>
          </span>
          <span>, caps</span>
          <span className="text-4xl font-light sm:text-5xl">)</span>
        </span>
      </p>
      <p className="mt-4 text-center text-sm text-stone-soft">
        Each value is from 0 to 1. Both sums include only the measured components.
      </p>
    </div>
  );
}

const READINGS = [
  [
    'Score and grade',
    'Measured quality of the endpoint. The grade is the score as a letter. Neither covers what was not measured.',
    '#grades',
  ],
  [
    'Recommendation',
    'Advice to a payer. It can be stricter than the grade: one error flag is enough for “avoid”.',
    '#recommendations',
  ],
  [
    'Confidence',
    `Amount of evidence behind the score, from 0 to 1. Below ${CONFIDENCE.low.toFixed(2)}, the recommendation is never “proceed”.`,
    '#confidence',
  ],
  ['Range', 'Lowest and highest score that the observations allow.', '#range'],
  ['Flags', 'Findings that a payer should know, each with its trigger and fix.', '#flags'],
  [
    'Test purchases',
    'What endpoints delivered for money. They are no part of the score, and can raise a flag.',
    '/delivery',
  ],
  [
    'Corrections',
    'Verdicts that providers disputed in public, with the answers. A dispute changes no score by itself.',
    '/corrections',
  ],
] as const;

function HowToRead() {
  return (
    <div>
      <h3>How to read a verdict</h3>
      <dl className="mt-2 space-y-3">
        {READINGS.map(([term, meaning, href]) => (
          <div key={term}>
            <dt className="font-semibold">
              <a href={href}>{term}</a>
            </dt>
            <dd className="text-ink-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Instructions for readers who want to check a report without trusting this site. */
function Recompute({ origin }: { readonly origin: string }) {
  return (
    <div className="mt-4 max-w-3xl space-y-4">
      <p>
        The same inputs give the same verdict to the last digit, on any machine, at any time. A trust report
        contains its input figures, the version of the formula and a signature. You can therefore recompute
        the score, and check the signature with the public keys of this site.
        <CommandHint baseUrl={origin} />
      </p>
      <CodeBlock label="Command that verifies a report" code={formatVerifyCommand(origin)} isWrapped />
      <p>
        The <a href="#playground">playground</a> above runs the same code in your browser. It shows its inputs
        as JSON and sends no data.
      </p>
    </div>
  );
}

/**
 * Formats the command that verifies a stored report with the public keys of the service. A key set on this machine has
 * a private address, which the command reads only with an option.
 */
function formatVerifyCommand(baseUrl: string): string {
  const words = ['verify', 'report.json', '--keys', `${baseUrl}${KEY_SET_PATH}`];
  return formatCommand(baseUrl, isOnThisMachine(baseUrl) ? [...words, '--allow-private'] : words);
}

/** Versions of the score formula, latest first. */
function Versions() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Each change of a weight, curve, cap, flag or rule is a new version. Every score names its version.
      </p>
      <ol className="mt-4 max-w-4xl border-b border-line">
        {SCORING_VERSIONS.map(({ version, date, changes }) => (
          <li
            key={version}
            id={`version-${version}`}
            className="grid gap-x-6 border-t border-line py-3 sm:grid-cols-[8rem_8rem_1fr]"
          >
            <span className="font-semibold">{version}</span>
            <time dateTime={date} className="text-ink-soft tabular-nums">
              {date}
            </time>
            <ul className="list-disc space-y-1 pl-5 marker:text-edge">
              {changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  );
}
