import type { FlagSeverity } from '@touchstone/contract';
import { FLAG_CATALOGUE } from '@touchstone/trust';

type Flag = (typeof FLAG_CATALOGUE)[number];

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
    meaning:
      'Risks to check before you pay. Some of them also prevent the recommendation “proceed”, as noted.',
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
            <h3 className="text-xl font-semibold">
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
    ...(preventsProceed === true ? ['With this flag, the recommendation cannot be “proceed”.'] : []),
    ...(notForTemplates === true ? ['This flag is not raised for URL templates.'] : []),
  ];
  return (
    <li
      id={`flag-${slug}`}
      className={`break-inside-avoid scroll-mt-6 border-l-4 bg-panel px-4 py-3 target:outline-3 target:outline-accent ${edge}`}
    >
      <h4 className="text-sm [overflow-wrap:anywhere]">
        <a href={`#flag-${slug}`} className="font-mono no-underline hover:underline">
          {slug}
        </a>
      </h4>
      <p className="mt-1 font-semibold">{message}</p>
      <dl className="mt-2 space-y-1 text-sm">
        <div>
          <dt className="inline text-ink-soft">Raised when: </dt>
          <dd className="inline">{trigger}</dd>
        </div>
        <div>
          <dt className="inline text-ink-soft">Fix: </dt>
          <dd className="inline">{fix}</dd>
        </div>
      </dl>
      {notes.length === 0 ? null : <p className="mt-2 text-sm text-ink-soft">{notes.join(' ')}</p>}
    </li>
  );
}
