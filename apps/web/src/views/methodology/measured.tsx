import { COMPONENTS } from '@touchstone/trust';
import { componentName } from '../component-name.ts';
import { DEPENDS_ON_SETUP } from '../depends-on-setup.ts';

const MEASURED = [
  'Unpaid requests, as any client sends first, about every half hour, from one location.',
  'Whether an answer came, how long its first byte took, and the payment challenge in it.',
  'What the challenge asks for, and what changed in it since.',
  'When the endpoint was first seen, and whether a public directory lists it.',
];

const NOT_MEASURED = [
  'What is delivered after payment: nothing is bought, so the quality of the goods is not judged.',
  'Probes that failed through our own fault, were turned away or were redirected: they are in neither uptime nor confidence.',
  'What lies before the first sight of an endpoint, and time in which we were not watching.',
  'Names and descriptions: they are the provider’s claims and never move a score.',
];

/** What a score knows of, and what becomes of the rest. */
export function Measured() {
  return (
    <>
      <div className="mt-4 grid gap-x-14 gap-y-8 md:grid-cols-2">
        <List title="Measured" items={MEASURED} />
        <List title="Not measured" items={NOT_MEASURED} />
      </div>
      <h3 className="mt-8 text-lg font-semibold">What could not be measured is not zero</h3>
      <p className="mt-2 max-w-3xl">
        A component without a measurement leaves the weighting: the others keep their values and share the
        hundred points. The range shows what it could have changed.
      </p>
      <dl className="mt-4 max-w-4xl border-b border-line">
        {COMPONENTS.map(({ component, unmeasured }) => (
          <div key={component} className="grid gap-x-6 border-t border-line py-3 sm:grid-cols-[8rem_1fr]">
            <dt className="font-semibold">{componentName(component)}</dt>
            <dd className="text-ink-soft">
              {unmeasured} {DEPENDS_ON_SETUP[component]}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  return (
    <div>
      <h3 className="text-lg font-semibold">{title}</h3>
      <ul className="mt-2 list-disc space-y-2 pl-5 marker:text-edge">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
