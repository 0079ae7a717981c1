import { type ComponentProps, type ReactNode, useId } from 'react';

const BUTTON = 'cursor-pointer border px-5 py-2.5 font-semibold disabled:cursor-wait disabled:opacity-60';
const BUTTON_COLORS = {
  main: 'border-ink bg-ink text-ground hover:border-accent hover:bg-accent',
  plain: 'border-edge bg-panel text-ink hover:border-accent hover:text-accent',
  danger: 'border-bad bg-panel text-bad hover:bg-bad hover:text-ground',
} as const;

/** Button of the page. The default type is `button`, so that the button never submits a form by mistake. */
export function Button({
  look = 'plain',
  ...props
}: { readonly look?: keyof typeof BUTTON_COLORS } & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" {...props} className={`${BUTTON} ${BUTTON_COLORS[look]}`} />;
}

/** CSS classes of text fields. */
export const FIELD_CLASS = 'w-full min-w-0 rounded-none border border-edge bg-panel px-4 py-2.5';

/** Message about a failure. Screen readers read the message immediately. */
export function ErrorMessage({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <div id={id} role="alert" className="border-l-4 border-bad bg-panel px-4 py-3 [overflow-wrap:anywhere]">
      {children}
    </div>
  );
}

/** Text field with its label, hint and mistake. */
export function TextField({
  label,
  hint,
  mistake = null,
  field,
}: {
  readonly label: string;
  readonly hint: string;
  readonly mistake?: string | null;
  readonly field: ComponentProps<'input'>;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <input
        autoComplete="off"
        {...field}
        id={id}
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={mistake !== null}
        aria-describedby={`${id}-hint ${id}-mistake`}
        className={`mt-2 font-mono ${FIELD_CLASS}`}
      />
      <p id={`${id}-mistake`} className="mt-1 font-semibold text-bad">
        {mistake}
      </p>
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        {hint}
      </p>
    </div>
  );
}
