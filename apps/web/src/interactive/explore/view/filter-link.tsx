import type { ReactNode } from 'react';
import { type ExploreParams, toExploreUrl } from '../explore-params.ts';
import type { ExploreActions } from './explore-view.tsx';

interface FilterLinkProps {
  /** Parameters of the page that the link opens. */
  readonly params: ExploreParams;
  /** Reactions to a click; absent on the server. */
  readonly actions: ExploreActions | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Link to the explore page with other parameters. In the browser, a plain click changes the page without loading it. */
export function FilterLink({ params, actions, className, children }: FilterLinkProps) {
  return (
    <a
      href={toExploreUrl(params)}
      className={className}
      onClick={
        actions === undefined
          ? undefined
          : (event) => {
              const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
              if (event.button !== 0 || !isPlain) return;
              event.preventDefault();
              actions.onNavigate(params);
            }
      }
    >
      {children}
    </a>
  );
}
