/**
 * Weight of a component as a bar. Screen readers skip the bar, because the page also shows the weight as text.
 *
 * @param props.weight 0 to 100.
 */
export function WeightBar({
  weight,
  className = '',
}: {
  readonly weight: number;
  readonly className?: string;
}) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={className} aria-hidden="true">
      <rect width="100" height="4" className="fill-line" />
      <rect width={Math.min(100, Math.max(0, weight))} height="4" className="fill-accent" />
    </svg>
  );
}
