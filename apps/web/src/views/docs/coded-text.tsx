import { Fragment } from 'react';

/** Text of the contract, in which backticks mark code. */
export function CodedText({ text }: { readonly text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 0 ? <Fragment key={index}>{part}</Fragment> : <code key={index}>{part}</code>,
    );
}
