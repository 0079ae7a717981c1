import { GRADE_THRESHOLDS, type FlagSeverity } from '@touchstone/contract';
import { CAP_LIMITS, FLAG_CATALOGUE, RECOMMENDATION_RULES, toGrade } from '@touchstone/trust';
import { GradeMark, RecommendationChip, WeightBar } from '@touchstone/ui';

/** Section on caps. A cap is a rule that limits the score regardless of the score components. */
export function Caps() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Some findings are more important than all components together. Each of these rules limits the score
        and its range to the number beside it. If several apply, the lowest number is the limit.
      </p>
      <ul className="mt-4 border-b border-line">
        {CAP_LIMITS.map(({ rule, limit, explanation }) => (
          <li
            key={rule}
            id={`cap-${rule}`}
            className="grid grid-cols-[2.5rem_4rem_1fr] items-center gap-x-4 border-t border-line py-4"
          >
            <GradeMark grade={toGrade(limit)} className="h-11 w-10" />
            <span className="text-right text-2xl tabular-nums">
              <span className="block text-xs text-ink-soft">at most </span>
              {limit}
            </span>
            <div>
              <p>{explanation}</p>
              <p className="font-mono text-sm text-ink-soft">{rule}</p>
            </div>
            <WeightBar weight={limit} className="col-span-3 mt-3 h-1.5 w-full" />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Score range of each grade. */
export function Grades() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The grade is the score, rounded to one decimal, as a letter. Endpoints with the recommendation “free”
        or “unverified”, and endpoints without a scored probe, have no grade: pages show a question mark and
        no score.
      </p>
      <ul className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-3 xl:grid-cols-6">
        {GRADE_THRESHOLDS.map(([grade, floor], index) => (
          <li key={grade} className="flex items-center gap-3">
            <GradeMark grade={grade} className="h-14 w-12 shrink-0" />
            <span className="tabular-nums">{formatScoreRange(floor, GRADE_THRESHOLDS[index - 1]?.[1])}</span>
          </li>
        ))}
        <li className="flex items-center gap-3">
          <GradeMark grade="?" className="h-14 w-12 shrink-0" />
          <span>no grade</span>
        </li>
      </ul>
    </>
  );
}

/**
 * Formats the score range of a grade.
 *
 * @param floor Minimum score of the grade.
 * @param next Minimum score of the next better grade; undefined for the best grade.
 */
function formatScoreRange(floor: number, next: number | undefined): string {
  if (next === undefined) return `${floor} or more`;
  return floor === 0 ? `below ${next}` : `from ${floor}`;
}

/** Rules that determine the recommendation, in the order of their evaluation. */
export function Recommendations() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The first rule that applies decides the recommendation. A report gives the reasons why that rule
        applies.
      </p>
      <ol className="mt-4 max-w-4xl border-b border-line">
        {RECOMMENDATION_RULES.map(({ recommendation, rule }, index) => (
          <li
            key={rule}
            className="grid grid-cols-[1.5rem_1fr] gap-x-3 border-t border-line py-3 sm:grid-cols-[1.5rem_10rem_1fr]"
          >
            <span aria-hidden="true" className="text-ink-soft tabular-nums">
              {index + 1}
            </span>
            <span>
              <RecommendationChip recommendation={recommendation} />
            </span>
            <span className="max-sm:col-start-2">{rule}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Flag = (typeof FLAG_CATALOGUE)[number];

const PREVENTING = FLAG_CATALOGUE.filter(
  ({ severity, preventsProceed }) => severity === 'warning' && preventsProceed === true,
);

const SEVERITIES: readonly {
  readonly severity: FlagSeverity;
  readonly title: string;
  readonly meaning: string;
  readonly edge: string;
}[] = [
  {
    severity: 'error',
    title: 'Errors',
    meaning: 'One error is enough for the recommendation “avoid”: do not pay the endpoint at present.',
    edge: 'border-bad',
  },
  {
    severity: 'warning',
    title: 'Warnings',
    meaning: `Risks to check before you pay. These prevent the recommendation “proceed”: ${PREVENTING.map(({ slug }) => slug).join(', ')}. Others prevent it in some cases, as their message then says.`,
    edge: 'border-warn',
  },
];

/** List of all flags. Each flag has its trigger, its message to a payer and its fix for a provider. */
export function Flags() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Flags do not change the score. They report findings that a number cannot express. Endpoint pages show
        how many there are; paid reports name them with their evidence.
      </p>
      {SEVERITIES.map(({ severity, title, meaning, edge }) => {
        const flags = FLAG_CATALOGUE.filter((flag) => flag.severity === severity);
        return (
          <div key={severity} id={`flags-${severity}`} className="mt-8">
            <h3>
              {title} <span className="font-normal text-ink-soft">({flags.length})</span>
            </h3>
            <p className="mt-1 text-ink-soft">{meaning}</p>
            <ul className="mt-4 grid gap-4 md:grid-cols-2">
              {flags.map((flag) => (
                <FlagCard key={flag.slug} flag={flag} edge={edge} />
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

function FlagCard({ flag, edge }: { readonly flag: Flag; readonly edge: string }) {
  const { slug, trigger, message, fix, preventsProceed, notForTemplates } = flag;
  const notes = [
    ...(preventsProceed === true ? ['Prevents “proceed”.'] : []),
    ...(notForTemplates === true ? ['Not for URL templates.'] : []),
  ];
  return (
    <li
      id={`flag-${slug}`}
      className={`break-inside-avoid scroll-mt-6 border-l-4 bg-panel px-4 py-3 target:outline-3 target:outline-accent ${edge}`}
    >
      <h4 className="text-sm [overflow-wrap:anywhere]">
        <a href={`#flag-${slug}`} className="py-1 font-mono no-underline hover:underline">
          {slug}
        </a>
      </h4>
      <p className="mt-1 font-semibold">{message}</p>
      <dl className="mt-2 space-y-1 text-sm">
        {trigger === message ? null : (
          <div>
            <dt className="inline text-ink-soft">Raised when: </dt>
            <dd className="inline">{trigger}</dd>
          </div>
        )}
        <div>
          <dt className="inline text-ink-soft">Fix: </dt>
          <dd className="inline">{fix}</dd>
        </div>
      </dl>
      {notes.length === 0 ? null : <p className="mt-2 text-sm text-ink-soft">{notes.join(' ')}</p>}
    </li>
  );
}
