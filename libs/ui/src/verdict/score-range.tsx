import { GRADE_THRESHOLDS } from '@touchstone/contract';

/**
 * Range of a score and the score itself on a scale from 0 to 100, with the limits of the grades. Screen readers skip
 * the drawing, because the page also shows the figures as text.
 *
 * @param props.isMuted True if the drawing has no color, because the score must not look like praise.
 */
export function ScoreRange({
  score,
  low,
  high,
  isMuted,
  className = '',
}: {
  readonly score: number;
  readonly low: number;
  readonly high: number;
  readonly isMuted: boolean;
  readonly className?: string;
}) {
  const limits = GRADE_THRESHOLDS.filter(([, floor]) => floor > 0).map(([, floor]) => `M${floor} 6v4`);
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={className} aria-hidden="true">
      <rect width="100" height="6" className="fill-line" />
      <rect
        x={low}
        width={Math.max(0.5, high - low)}
        height="6"
        className={isMuted ? 'fill-edge' : 'fill-gold'}
      />
      <path d={`M${score} 0v6`} className="stroke-ink" strokeWidth="3" vectorEffect="non-scaling-stroke" />
      <path d={limits.join('')} className="stroke-edge" strokeWidth="1" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
