/**
 * Icon of one stroked path on a grid of 16 units, in the color of the text. The text beside the icon names its meaning.
 *
 * @param props.path Value of the attribute `d`.
 */
export function StrokeIcon({ path, className }: { readonly path: string; readonly className: string }) {
  return (
    <svg viewBox="0 0 16 16" className={className} aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
