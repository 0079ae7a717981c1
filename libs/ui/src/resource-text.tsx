import { Fragment } from 'react';

/** A resource URL that may break after its separators and keeps its own direction, whatever characters it holds. */
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
