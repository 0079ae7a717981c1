/** Distance between two lines of a texture, in pixels. */
const LINE_DISTANCE = 4;
/**
 * Height of the lines of each texture, in pixels. The first texture is solid. Lines are horizontal, because a stretched
 * drawing changes horizontal distances.
 */
const LINE_HEIGHTS = [LINE_DISTANCE, 2.75, 1.75] as const;

function getLineHeight(index: number): number {
  return LINE_HEIGHTS[index % LINE_HEIGHTS.length] ?? LINE_DISTANCE;
}

/**
 * SVG pattern that fills the segments of a series with a color and a texture.
 *
 * @param props.index Position of the series. Neighboring series have different textures.
 * @param props.className Class of the fill color.
 */
export function TexturePattern({
  id,
  index,
  className,
}: {
  readonly id: string;
  readonly index: number;
  readonly className: string;
}) {
  return (
    <pattern id={id} width="8" height={LINE_DISTANCE} patternUnits="userSpaceOnUse">
      <rect width="8" height={getLineHeight(index)} className={className} />
    </pattern>
  );
}

/** Sample of the color and texture of a series, for a legend. */
export function TextureSwatch({ index, className }: { readonly index: number; readonly className: string }) {
  const height = getLineHeight(index);
  return (
    <svg viewBox="0 0 14 12" className="h-3 w-3.5 shrink-0" aria-hidden="true">
      {[0, LINE_DISTANCE, 2 * LINE_DISTANCE].map((y) => (
        <rect key={y} y={y} width="14" height={height} className={className} />
      ))}
    </svg>
  );
}
