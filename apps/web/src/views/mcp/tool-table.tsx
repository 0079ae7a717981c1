import { TOOLS, type Tool } from '@touchstone/contract';
import { formatUsd } from '@touchstone/ui';

/** Table of all tools with their titles and prices. */
export function ToolTable() {
  return (
    <div className="mt-4 max-w-3xl overflow-x-auto" tabIndex={0} role="region" aria-label="Table of tools">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-sm">
            <th scope="col" className="py-2 pr-4">
              Tool
            </th>
            <th scope="col" className="py-2 text-right">
              Price per call
            </th>
          </tr>
        </thead>
        <tbody>
          {TOOLS.map((tool) => (
            <tr key={tool.name} className="border-b border-line align-top">
              <th scope="row" className="py-2 pr-4 font-normal">
                <a href={`/docs#${tool.operations[0]?.id ?? ''}`}>{tool.title}</a>
                <span className="block font-mono text-sm break-all text-ink-soft">{tool.name}</span>
              </th>
              <td className="py-2 text-right tabular-nums">{formatToolPrice(tool)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Formats the price of a tool. A tool with several operations costs the price of the operation that fits the input. */
export function formatToolPrice({ operations }: Pick<Tool, 'operations'>): string {
  const prices = operations.flatMap(({ priceUsd }) => (priceUsd === null ? [] : [formatUsd(priceUsd)]));
  const [lowest] = prices;
  const highest = prices.at(-1);
  if (lowest === undefined || highest === undefined) {
    return operations.some(({ security }) => security === 'bearer') ? 'free with secret' : 'free';
  }
  return lowest === highest ? lowest : `${lowest} to ${highest}`;
}
