import type { ReactNode } from 'react';

/**
 * Table that scrolls sideways in its frame on a narrow screen. The frame can have the focus, so that people can scroll
 * the table with the keyboard.
 *
 * @param props.columns Title and classes of each column.
 * @param props.className Classes of the frame.
 * @param props.children Rows of the body.
 */
export function ScrollTable(props: {
  readonly label: string;
  readonly columns: readonly (readonly [title: string, className: string])[];
  readonly className?: string;
  readonly tableClassName?: string;
  readonly children: ReactNode;
}) {
  const { label, columns, className = '', tableClassName = '', children } = props;
  return (
    <div className={`mt-4 overflow-x-auto ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table className={`w-full text-left ${tableClassName}`}>
        <thead>
          <tr className="border-b border-line text-sm">
            {columns.map(([title, columnClass]) => (
              <th key={title} scope="col" className={`py-2 ${columnClass}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
