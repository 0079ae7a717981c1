/** Dash pattern of the outline of days without data. */
export const NO_DATA_DASHES = '2 2';

/**
 * Dashed outline of days without data.
 *
 * @param props.path Rectangles of the days, as the `d` attribute of an SVG path.
 */
export function NoDataOutline({ path }: { readonly path: string }) {
  return (
    <path
      d={path}
      className="fill-transparent stroke-stone-soft/60"
      strokeWidth="1"
      strokeDasharray={NO_DATA_DASHES}
      vectorEffect="non-scaling-stroke"
    />
  );
}
