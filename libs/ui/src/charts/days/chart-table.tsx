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
      <div tabIndex={0} role="group" aria-label={`Table: ${title}`} className="overflow-x-auto">
        {/* The table has the classes of its cells, because a page can have hundreds of cells. */}
        <table className="mt-1 w-full tabular-nums max-sm:text-xs [&_td]:border-b [&_td]:border-line [&_td]:py-1 [&_td]:pl-2 sm:[&_td]:pl-4 [&_td]:text-right [&_th]:border-b [&_th]:py-1 [&_th]:font-normal">
          <thead className="align-bottom text-ink-soft [&_th]:border-edge">
            <tr>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={index === 0 ? 'text-left' : 'pl-2 sm:pl-4 text-right'}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_th]:border-line [&_th]:text-left [&_th]:whitespace-nowrap">
            {rows.map(([heading = '', ...cells]) => (
              <tr key={heading}>
                <th scope="row">{heading}</th>
                {cells.map((cell, index) => (
                  <td key={columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
