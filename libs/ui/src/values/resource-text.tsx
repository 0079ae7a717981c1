import { Fragment } from 'react';

/**
 * Resource URL with possible line breaks after its separators. The URL is isolated, so that its text direction cannot
 * affect the surrounding text.
 */
export function ResourceText({
  resource,
  className = '',
}: {
  readonly resource: string;
  readonly className?: string;
}) {
  const pieces = resource.split(/(?<=[/?&=_-])(?![/?&=_-])/);
  return (
    <bdi className={`font-mono [overflow-wrap:anywhere] ${className}`}>
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
