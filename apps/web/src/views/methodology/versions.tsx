import { SCORING_VERSIONS } from '@touchstone/trust';

/** Versions of the score formula, latest first. */
export function Versions() {
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
