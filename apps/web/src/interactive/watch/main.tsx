import { createRoot } from 'react-dom/client';
import { WatchPage } from './watch-page.tsx';

const root = document.getElementById('watch-root');
if (root !== null)
  createRoot(root).render(<WatchPage renewalPriceUsd={root.dataset['renewalPriceUsd'] ?? null} />);
