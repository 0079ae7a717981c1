'use client';

import { Unavailable } from '../views/errors/unavailable.tsx';
import './globals.css';

/** What Next shows when not even the document could be rendered. */
export default function GlobalError() {
  return (
    <html lang="en">
      <head>
        <title>Not available · Touchstone</title>
      </head>
      <body>
        <Unavailable />
      </body>
    </html>
  );
}
