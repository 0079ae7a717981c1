import type { Snapshot } from '@touchstone/store';
import type { ReactNode } from 'react';
import { toProviderPath } from '../../../provider/host-path.ts';
import { formatPath } from '../../shared/format-path.ts';

/** Links to the pages above an endpoint page. The last part is the endpoint: its path on the host. */
export function Breadcrumb({ snapshot: { host, resource } }: { readonly snapshot: Snapshot }) {
  return (
    <nav aria-label="Breadcrumb" className="text-sm text-ink-soft">
      <ol className="flex flex-wrap gap-x-2">
        <Step>
          <a href="/">Touchstone</a>
        </Step>
        <Step>
          <a href="/explore">Explore</a>
        </Step>
        <Step>
          <a href={toProviderPath(host)} className="[overflow-wrap:anywhere]">
            <bdi>{host}</bdi>
          </a>
        </Step>
        <li aria-current="page" className="max-w-full truncate">
          <bdi>{formatPath(resource)}</bdi>
        </li>
      </ol>
    </nav>
  );
}

function Step({ children }: { readonly children: ReactNode }) {
  return (
    <li className="flex min-w-0 gap-x-2">
      {children}
      <span aria-hidden="true">/</span>
    </li>
  );
}
