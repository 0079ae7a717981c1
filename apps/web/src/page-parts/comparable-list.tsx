import { EndpointList } from '@touchstone/ui';
import type { ComponentProps } from 'react';

/** Id of the form whose fields are the checkboxes of the list. */
const FORM_ID = 'compare';

/**
 * List of endpoints with a checkbox in each row, and a button that opens the selected endpoints side by side. While an
 * endpoint is selected, the button stays at the bottom of the screen, below the element with the focus. A list with one endpoint has no checkbox.
 */
export function ComparableList(props: Omit<ComponentProps<typeof EndpointList>, 'compareForm'>) {
  if (props.endpoints.length < 2) return <EndpointList {...props} />;
  return (
    <div className="group/list has-[:checked]:[&_:is(a,input)]:scroll-mb-24">
      <EndpointList {...props} compareForm={FORM_ID} />
      <form
        id={FORM_ID}
        action="/compare"
        method="get"
        className="bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 bg-ground py-3 group-has-[:checked]/list:sticky group-has-[:checked]/list:border-t group-has-[:checked]/list:border-edge"
      >
        <button
          type="submit"
          className="cursor-pointer border border-line px-4 py-2 text-ink-soft group-has-[:checked]/list:border-edge group-has-[:checked]/list:bg-panel group-has-[:checked]/list:font-semibold group-has-[:checked]/list:text-ink hover:border-accent hover:text-accent"
        >
          Compare
        </button>
        <span className="text-sm text-ink-soft">Select two to four endpoints.</span>
      </form>
    </div>
  );
}
