import { PROBLEMS } from '@touchstone/contract';

/** Table of all API errors by error code. */
export function ProblemTable() {
  return (
    <div className="mt-4 overflow-x-auto" tabIndex={0} role="region" aria-label="Table of errors">
      <table className="w-full min-w-xl text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-4">
              Status
            </th>
            <th scope="col" className="py-2 pr-4">
              Code
            </th>
            <th scope="col" className="py-2">
              Cause
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(PROBLEMS).map(([code, { status, description }]) => (
            <tr key={code} className="border-b border-line align-top">
              <td className="py-2 pr-4 tabular-nums">{status}</td>
              <th scope="row" className="py-2 pr-4 font-mono font-normal whitespace-nowrap">
                {code}
              </th>
              <td className="py-2">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
