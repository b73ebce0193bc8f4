// Moves items of lists: by dragging their handle with mouse, pen or finger, or by arrow keys on it. What came of it is
// announced, and the handle of what was moved has the focus again.
const handleOf = (path) => document.querySelector(`[data-handle="${CSS.escape(path)}"]`);
const itemsOf = (handle) => [...handle.closest("ol").children];

export function reordering(editor, moved) {
  let dragged = null, place = -1, waiting = null;

  function move(handle, to) {
    const item = handle.closest("li"), all = itemsOf(handle), at = all.indexOf(item);
    if (waiting || to === at || to < 0 || to >= all.length) return;
    const path = handle.dataset.handle, list = path.slice(0, path.lastIndexOf("."));
    const mine = waiting = { path: `${list}.${to}`, name: handle.dataset.name, to, count: all.length };
    const button = document.createElement("button");
    [button.name, button.value, button.hidden] = ["_op", `move:${path}:${to}`, true];
    editor.append(button);
    button.click();
    button.remove();
    if (item.dataset.entry !== undefined) moved(to);
    // What was refused is not waited for.
    setTimeout(() => { if (waiting === mine) waiting = null; }, 5000);
  }

  document.addEventListener("studio-saved", () => {
    const handle = waiting && handleOf(waiting.path);
    if (!handle) return;
    const line = document.querySelector("#moved");
    line.textContent = line.dataset.moved.replace("{name}", waiting.name).replace("{place}", waiting.to + 1).replace("{count}", waiting.count);
    waiting = null;
    handle.focus();
  });

  editor.addEventListener("keydown", (event) => {
    const handle = event.target.closest?.("[data-handle]");
    if (!handle) return;
    const all = itemsOf(handle), at = all.indexOf(handle.closest("li"));
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(handle, to);
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
