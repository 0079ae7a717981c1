import type { Component } from '@touchstone/contract';

/** Formats the name of a score component with a capital first letter. */
export function formatComponentName(component: Component): string {
  return component.charAt(0).toUpperCase() + component.slice(1);
}
