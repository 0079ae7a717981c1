import { COMPONENTS } from '@touchstone/trust';
import { formatComponentName } from './component-name.ts';
import { SETUP_NOTES } from './depends-on-setup.ts';

const MEASURED = [
  'Response to an unpaid request, about every 30 minutes, from one location.',
  'Uptime, time to the end of the response, and compliance of the payment challenge.',
  'Price, payTo address, asset and network of the challenge, and their changes.',
  'Date on which the endpoint was first seen, and listing in public directories.',
];

const NOT_MEASURED = [
  'Content delivered after payment: probes do not pay, so its quality is unknown.',
  'Probes that were blocked, were redirected or failed because of this service: uptime and confidence exclude them.',
  'Time before the endpoint was first seen, and time in which this service did not run.',
  'Names and descriptions: they are unverified claims of the provider and never change a score.',
];

/**
 * Lists of the properties that are measured and not measured, with the effect of an unmeasured component on the score.
 */
export function Measured() {
  return (
    <>
      <div className="mt-4 grid gap-x-14 gap-y-8 md:grid-cols-2">
        <List title="Measured" items={MEASURED} />
        <List title="Not measured" items={NOT_MEASURED} />
      </div>
      <h3 className="mt-8 text-lg font-semibold">An unmeasured component is not zero</h3>
      <p className="mt-2 max-w-3xl">
        A component without a measurement is excluded from the mean, and the others share the 100 points. The
        range shows how much the missing measurement could change the score.
      </p>
      <dl className="mt-4 max-w-4xl border-b border-line">
        {COMPONENTS.map(({ component, unmeasured }) => (
          <div key={component} className="grid gap-x-6 border-t border-line py-3 sm:grid-cols-[8rem_1fr]">
            <dt className="font-semibold">{formatComponentName(component)}</dt>
            <dd className="text-ink-soft">
              {unmeasured} {SETUP_NOTES[component]}
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
