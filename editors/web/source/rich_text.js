// SPDX-License-Identifier: Apache-2.0
// HTML that a client has made of the server's Markdown, with nothing in it but text and its marks. Comments of a program stand in it, and
// they may say anything. It is looked at as text: whatever parses it would look at its attributes, which the page's policy reports.

const TAGS = new Set("a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul".split(" "));
// A tag with its attributes, or a sign that begins none.
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s(?:"[^"]*"|'[^']*'|[^'">])*)?)>|</gi;

/** Tags are written anew, with a class and an address of the web at most. All others are shown as text. */
export function sanitized(html) {
  return html.replace(TAG, (all, slash, tag, attributes) => {
    const name = tag?.toLowerCase();
    if (!TAGS.has(name)) return all.replaceAll("<", "&lt;");
    if (slash) return `</${name}>`;
    const own = /\sclass="([\w -]*)"/.exec(attributes);
    const link = name === "a" && /\shref="(https?:\/\/[^"<>]*)"/.exec(attributes);
    return `<${name}${own ? ` class="${own[1]}"` : ""}${link ? ` href="${link[1]}" target="_blank" rel="noreferrer noopener"` : ""}>`;
  });
}
