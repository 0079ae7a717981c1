import type { Metadata } from 'next';
import { NotFound } from '../views/errors/error-page.tsx';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFoundPage() {
  return <NotFound />;
}
