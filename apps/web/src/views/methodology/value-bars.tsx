import { WeightBar } from '@touchstone/ui';

/** List of values from 0 to 1, each with a bar. */
export function ValueBars({ rows }: { readonly rows: readonly (readonly [name: string, value: number])[] }) {
  return (
    <dl className="max-w-xl">
      {rows.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-2">
          <dt>{name}</dt>
          <dd className="text-right tabular-nums">{value}</dd>
          <dd aria-hidden="true" className="col-span-2">
            <WeightBar weight={100 * value} className="mt-1 h-1.5 w-full" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
