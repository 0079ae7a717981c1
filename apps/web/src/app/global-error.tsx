'use client';

import { SkipLink } from '@touchstone/ui';
import { Unavailable } from '../views/errors/error-page.tsx';
import './globals.css';

/** Error page that is shown if the root layout cannot be rendered. */
export default function GlobalError() {
  return (
    <html lang="en">
      <head>
        <title>Not available · Touchstone</title>
      </head>
      <body>
        <SkipLink />
        <Unavailable />
      </body>
    </html>
  );
}
