import type { Component } from '@touchstone/contract';

/** Formats the name of a component with a capital letter. */
export function formatComponentName(component: Component): string {
  return component.charAt(0).toUpperCase() + component.slice(1);
}
