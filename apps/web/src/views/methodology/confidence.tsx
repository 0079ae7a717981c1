import { formatCount, formatScore } from '@touchstone/common';
import { CONFIDENCE, WINDOW_DAYS, score } from '@touchstone/trust';
import { toScoreInputs } from './playground/score-inputs.ts';
import { HEALTHY_STATE } from './playground/fields.ts';

const PROBES_PER_DAY = 48;
const DAYS = [1, 2, 5, 10, 30];
const CELL = 'py-2 pl-2 sm:pl-3';

/** Section on the confidence, range and projection of a score. */
export function Confidence() {
  return (
    <div className="mt-4 grid gap-x-14 gap-y-8 xl:grid-cols-2">
      <div className="space-y-4">
        <p>
          Confidence is the amount of evidence behind a score, not its quality. It grows with each scored
          probe and with each blockchain that was read.
        </p>
        <dl className="space-y-3">
          {FORMULAS.map(([term, formula]) => (
            <div key={term}>
              <dt className="font-semibold">{term}</dt>
              <dd className="text-ink-soft">{formula}</dd>
            </div>
          ))}
        </dl>
        <p>
          Below {CONFIDENCE.low.toFixed(2)}, the endpoint has a warning, and the recommendation is never
          “proceed”.
        </p>
        <h3 id="range" className="scroll-mt-6 pt-2">
          Range
        </h3>
        <p>
          The range is the lowest and the highest score that the observations allow. Uptime and compliance are
          taken at the bounds of their 95 % Wilson intervals, and each unmeasured component at 0 and at 1 with
          its full weight. The other components and the caps stay the same. A wide range means that more
          probes may change the score a lot. A score without a failed probe and without an unmeasured
          component is at the top of its range.
        </p>
        <p>
          The leaderboard and the preview are ordered by the lower bound of the range, in which everything
          that could not be measured counts as 0.
        </p>
        <h3 id="projection" className="scroll-mt-6 pt-2">
          Projection
        </h3>
        <p>
          A report projects the score {WINDOW_DAYS} days ahead: the last 24 hours repeat, the payment terms do
          not change, and settlements and latency stay the same. Without a scored probe in these 24 hours,
          there is no projection.
        </p>
      </div>
      <Growth />
    </div>
  );
}

const FORMULAS = [
  ['Observation', CONFIDENCE.observation],
  ['Economic', CONFIDENCE.economic],
  ['Confidence', CONFIDENCE.overall],
] as const;

/**
 * Table of the confidence and range for a faultless endpoint after different numbers of days. The values are computed
 * with the score formula.
 */
function Growth() {
  const rows = DAYS.map((days) => {
    const probes = days * PROBES_PER_DAY;
    const read = score(toScoreInputs({ ...HEALTHY_STATE, probes }, 0));
    const unread = score(toScoreInputs({ ...HEALTHY_STATE, probes, chainRead: false }, 0));
    return { days, probes, read, unread };
  });
  return (
    <table className="w-full self-start tabular-nums max-sm:text-sm">
      <caption className="pb-2 text-left text-sm text-ink-soft">
        Confidence of a faultless endpoint with {PROBES_PER_DAY} probes a day, and the range of its score if
        no chain is read
      </caption>
      <thead>
        <tr className="text-right align-bottom text-sm text-ink-soft">
          <th scope="col" className="border-b border-edge py-2 text-left font-normal">
            Days
          </th>
          {['Probes', 'Confidence, chain read', 'not read', 'Range'].map((title) => (
            <th key={title} scope="col" className={`border-b border-edge font-normal ${CELL}`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ days, probes, read, unread }) => (
          <tr key={days} className="text-right">
            <th scope="row" className="border-b border-line py-2 text-left font-normal">
              {days}
            </th>
            <td className={`border-b border-line ${CELL}`}>{formatCount(probes)}</td>
            <td className={`border-b border-line ${CELL}`}>{read.confidence.toFixed(2)}</td>
            <td className={`border-b border-line ${CELL}`}>{unread.confidence.toFixed(2)}</td>
            <td className={`border-b border-line sm:whitespace-nowrap ${CELL}`}>
              {formatScore(unread.scoreRange.low)} to {formatScore(unread.scoreRange.high)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const MEASURED = [
  'Response to an unpaid request, about every 30 minutes, from one location. At most three redirects are followed.',
  'Uptime, time to the end of the response, and compliance of the payment challenge.',
  'Price, payTo address, asset and network of the challenge, and their changes.',
  'Date on which the endpoint was first seen, and listing in public directories.',
];

const NOT_MEASURED = [
  'Content delivered after payment: probes do not pay. Test purchases show whether something is delivered, and not how good it is.',
  'Probes that were blocked, ended at a redirect that was not followed, or failed because of this service: uptime and confidence exclude them.',
  'Time before the endpoint was first seen, and time in which this service did not run.',
  'Names and descriptions: they are unverified claims of the provider and never change a score.',
];

/** Lists of the properties that are measured and not measured, and the effect of an unmeasured component. */
export function Measured() {
  return (
    <>
      <div className="mt-4 grid gap-x-14 gap-y-8 md:grid-cols-2">
        <List title="Measured" items={MEASURED} />
        <List title="Not measured" items={NOT_MEASURED} />
      </div>
      <h3 className="mt-8">An unmeasured component is not zero</h3>
      <p className="mt-2 max-w-3xl">
        A component without a measurement is excluded from the mean, and the others share the 100 points. The{' '}
        <a href="#range">range</a> shows how much the missing measurement could change the score. Each{' '}
        <a href="#components">component</a> says when it is not measured.
      </p>
    </>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className="mt-2 list-disc space-y-2 pl-5 marker:text-edge">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
