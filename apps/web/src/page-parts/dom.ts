type Attributes = Readonly<Record<string, string>>;
type Children = readonly (Node | string)[];

/** Creates an element with attributes and content. Strings become text nodes, never markup. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children: Children = [],
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

export function createSvgElement(
  tag: 'svg' | 'rect' | 'path',
  attributes: Attributes,
  children: Children = [],
): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}
