import type { Component } from '@touchstone/contract';

/** The name of a component as a word that may begin a line. */
export function componentName(component: Component): string {
  return component.charAt(0).toUpperCase() + component.slice(1);
}
