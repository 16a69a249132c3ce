// SPDX-License-Identifier: Apache-2.0
// The WebSocket to `komuz lsp`: one message a text frame. The client of CodeMirror answers no request of a server, so those are answered
// here, by functions that the page gives.

/** @param requests method → function of the parameters, which returns what is answered
 *  @param onEnd called with a sentence when the server has gone; once */
export function connect(requests, onEnd) {
  const socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[?#].*$/, ""));
  const handlers = new Set();
  let reason = "the server refuses the connection";
  const opened = new Promise((resolve) => {
    socket.addEventListener("open", () => {
      reason = "the server has ended, or the connection to it";
      resolve(transport);
    });
  });
  socket.addEventListener("close", (event) => onEnd(event.reason || reason));
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.method !== undefined && message.id !== undefined) return answer(message);
    for (const handler of [...handlers]) handler(data);
  });
  const send = (message) => {
    // What is said to a server that has gone is said again to the next one, as a whole.
    if (socket.readyState === WebSocket.OPEN) socket.send(message);
  };
  async function answer({ id, method, params }) {
    const reply = { jsonrpc: "2.0", id };
    const known = requests[method];
    try {
      if (known) reply.result = (await known(params)) ?? null;
      else reply.error = { code: -32601, message: `this client has no \`${method}\`` };
    } catch (error) {
      reply.error = { code: -32603, message: String(error?.message ?? error) };
    }
    send(JSON.stringify(reply));
  }
  const transport = {
    send,
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  };
  return opened;
}
