// Moves items of lists: by dragging their handle with mouse, pen or finger, or by arrow keys on it. What came of it is
// announced, and the handle of what was moved has the focus again.
import { after } from "./saving.js";

const handleOf = (path) => document.querySelector(`[data-handle="${CSS.escape(path)}"]`);
const itemsOf = (handle) => [...handle.closest("ol").children];

export function reordering(editor, moved) {
  // `waiting` is the move that is asked for and not yet answered; `wanted` is where the keys lead to meanwhile.
  let dragged = null, place = -1, waiting = null, wanted = null;

  function move(handle, to) {
    const item = handle.closest("li"), all = itemsOf(handle), at = all.indexOf(item);
    if (waiting || to === at || to < 0 || to >= all.length) return;
    const operation = `move:${handle.dataset.handle}:${to}`;
    waiting = { operation, name: handle.dataset.name, to };
    const button = document.createElement("button");
    [button.name, button.value, button.hidden] = ["_op", operation, true];
    editor.append(button);
    button.click();
    button.remove();
    if (item.dataset.entry !== undefined) moved(to);
  }

  document.addEventListener("studio-saved", ({ detail: { whole, operation } }) => {
    if (!waiting || !operation) return;
    if (operation !== waiting.operation) {
      // Another save, asked for before: what we wait for is now called as the queue calls it, or is gone.
      const now = after(["_op", waiting.operation], operation);
      if (now) waiting.operation = now[1]; else waiting = wanted = null;
      return;
    }
    const [, path, to] = operation.split(":"), { name } = waiting, next = wanted;
    waiting = wanted = null;
    const handle = whole && handleOf(`${path.slice(0, path.lastIndexOf("."))}.${to}`);
    if (!handle) return;
    const line = document.querySelector("#moved");
    line.textContent = line.dataset.moved.replace("{name}", name).replace("{place}", Number(to) + 1).replace("{count}", itemsOf(handle).length);
    handle.focus();
    if (next !== null) move(handle, next);
  });

  editor.addEventListener("keydown", (event) => {
    const handle = event.target.closest?.("[data-handle]");
    if (!handle) return;
    if (waiting && waiting.operation.split(":")[1] !== handle.dataset.handle) return;
    const all = itemsOf(handle), at = waiting ? wanted ?? waiting.to : all.indexOf(handle.closest("li")), last = all.length - 1;
    const to = { ArrowUp: Math.max(0, at - 1), ArrowDown: Math.min(last, at + 1), Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (waiting) wanted = to; else move(handle, to);
  });

  // --- dragging ------------------------------------------------------------------------------------------------------

  function mark(item, side) {
    for (const other of editor.querySelectorAll(".drop-before, .drop-after")) other.classList.remove("drop-before", "drop-after");
    if (item) item.classList.add(side);
  }

  function end() {
    dragged?.closest("li").classList.remove("dragged");
    mark(null);
    [dragged, place] = [null, -1];
  }

  editor.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest("[data-handle]");
    if (!handle || event.button !== 0) return;
    dragged = handle;
    handle.setPointerCapture(event.pointerId);
  });
  editor.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    dragged.closest("li").classList.add("dragged");
    const all = itemsOf(dragged), at = all.indexOf(dragged.closest("li"));
    const before = all.findIndex((item) => { const box = item.getBoundingClientRect(); return event.clientY < box.top + box.height / 2; });
    const gap = before < 0 ? all.length : before;
    place = gap > at ? gap - 1 : gap;
    if (place === at) mark(null);
    else if (gap === all.length) mark(all.at(-1), "drop-after");
    else mark(all[gap], "drop-before");
    const edge = 60;
    if (event.clientY < edge) scrollBy(0, -12);
    else if (event.clientY > innerHeight - edge) scrollBy(0, 12);
  });
  editor.addEventListener("pointerup", () => {
    const [handle, to] = [dragged, place];
    end();
    if (handle && to >= 0) move(handle, to);
  });
  editor.addEventListener("pointercancel", end);
  addEventListener("keydown", (event) => { if (event.key === "Escape" && dragged) end(); });
}
