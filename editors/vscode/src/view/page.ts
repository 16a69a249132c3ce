// SPDX-License-Identifier: Apache-2.0
// The page's elements, and new ones. Text is set as text: nothing that a program says is read as HTML.

export function the<Kind extends Element = HTMLElement>(id: string, kind: abstract new (...values: never[]) => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no #${id}`);
}
export const element = (id: string): HTMLElement => the(id, HTMLElement);

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function drawn(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}
