import { CAP_LIMITS, toGrade } from '@touchstone/trust';
import { GradeMark, WeightBar } from '@touchstone/ui';

/** Section on caps. A cap is a rule that limits the score regardless of the score components. */
export function Caps() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Some findings are more important than all components together. Each of these rules limits the score
        and its range. If several apply, the lowest limit counts.
      </p>
      <ul className="mt-4 border-b border-line">
        {CAP_LIMITS.map(({ rule, limit, explanation }) => (
          <li
            key={rule}
            id={`cap-${rule}`}
            className="grid grid-cols-[2.5rem_3rem_1fr] items-center gap-x-4 border-t border-line py-4"
          >
            <GradeMark grade={toGrade(limit)} className="h-11 w-10" />
            <span className="text-right text-2xl tabular-nums">
              <span className="sr-only">at most </span>
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
