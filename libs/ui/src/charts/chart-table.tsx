/**
 * Data of a chart as an expandable table.
 *
 * @param props.title Title of the chart, which distinguishes the tables of a page for screen readers.
 * @param props.columns Column headings. The first column contains row headings, the others figures.
 */
export function ChartTable({
  title,
  columns,
  rows,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer py-1 text-ink-soft hover:text-accent">
        Show as table<span className="sr-only">: {title}</span>
      </summary>
      <div tabIndex={0} role="group" aria-label={`Table: ${title}`} className="max-h-96 overflow-auto">
        <table className="mt-1 w-full tabular-nums">
          <thead>
            <tr className="text-ink-soft">
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={`border-b border-edge py-1 align-bottom font-normal ${index === 0 ? 'text-left' : 'pl-4 text-right'}`}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([heading = '', ...cells]) => (
              <tr key={heading}>
                <th scope="row" className="border-b border-line py-1 text-left font-normal whitespace-nowrap">
                  {heading}
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index + 1]} className="border-b border-line py-1 pl-4 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
