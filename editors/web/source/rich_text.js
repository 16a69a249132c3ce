// SPDX-License-Identifier: Apache-2.0
// HTML that a client has made of the server's Markdown, with nothing in it but text and its marks. Comments of a program stand in it, and
// they may say anything. (The page's policy would run no script of it either.)

const TAGS = new Set(["A", "BLOCKQUOTE", "BR", "CODE", "DEL", "DIV", "EM", "H1", "H2", "H3", "H4", "H5", "H6", "HR", "LI", "OL", "P", "PRE", "SPAN", "STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"]);

export function sanitized(html) {
  // Nothing is loaded or run in a template.
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const element of [...template.content.querySelectorAll("*")]) {
    if (!TAGS.has(element.tagName)) {
      // A picture that was meant to come from elsewhere is its description.
      element.replaceWith(element.getAttribute("alt") ?? element.textContent);
      continue;
    }
    for (const { name, value } of [...element.attributes])
      if (name !== "class" && !(name === "href" && /^https?:\/\//.test(value))) element.removeAttribute(name);
    if (element.tagName === "A") {
      element.rel = "noreferrer noopener";
      element.target = "_blank";
    }
  }
  return template.innerHTML;
}
