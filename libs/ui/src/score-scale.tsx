import { Streak } from './streak.tsx';
import { GRADE_FLOORS, type Grade } from './verdict.ts';

/** Where the floors of the grades lie on the stone; the places are fixed, so they are classes and not style. */
const FLOORS = [
  ['F', GRADE_FLOORS.F, 'left-0'],
  ['D', GRADE_FLOORS.D, 'left-[35%]'],
  ['C', GRADE_FLOORS.C, 'left-[50%]'],
  ['B', GRADE_FLOORS.B, 'left-[65%]'],
  ['A', GRADE_FLOORS.A, 'left-[80%]'],
] as const;

/**
 * A score as a streak on the stone, above the scale of grades. A drawing only: the score itself stands beside it in
 * text.
 *
 * @param props.score 0 to 100.
 */
export function ScoreScale({ score, grade }: { readonly score: number; readonly grade: Grade }) {
  return (
    <div aria-hidden="true">
      <div className="relative h-14 rounded-sm border border-stone-line bg-stone p-3">
        <Streak length={score} grade={grade} className="h-full w-full" />
      </div>
      <div className="relative mx-3 h-7 text-sm text-ink-soft">
        {FLOORS.map(([letter, floor, place]) => (
          <span key={letter} className={`absolute top-0 border-l border-edge pt-0.5 pl-1.5 ${place}`}>
            {letter}
            <span className="max-sm:hidden"> {floor}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
