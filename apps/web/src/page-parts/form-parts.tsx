import type { ComponentProps, ReactNode } from 'react';

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
