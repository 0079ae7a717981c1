/** Source code in a scroll box. The box can also be scrolled with the keyboard. */
export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="mt-2 max-h-[32rem] overflow-auto rounded-sm border border-stone-line bg-stone px-4 py-3 font-mono text-sm text-stone-ink"
    >
      {code}
    </pre>
  );
}
