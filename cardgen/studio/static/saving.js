// Saving: one request at a time. What is chosen meanwhile waits in a queue, told by what it is about; the next request
// carries the form as it is then and the base that the one before came to, so that a page is never in its own way.
// What failed stays in the queue, and the page says so until a save works.
const WAIT = 3000;

// Where a path of a list's item leads after an operation (see `settled` in sent.py); null: the item is gone.
export function followed(path, operation) {
  const [word, told, place] = operation.split(":"), cut = told?.lastIndexOf(".") ?? -1;
  if (cut < 0) return path;
  const list = told.slice(0, cut), at = Number(told.slice(cut + 1));
  if (!path.startsWith(`${list}.`)) return path;
  const [head, ...rest] = path.slice(list.length + 1).split(".");
  if (!/^\d+$/.test(head)) return path;
  const n = Number(head);
  let now = n;
  if (word === "remove") {
    if (n === at) return null;
    if (n > at) now = n - 1;
  } else if (word === "twin") {
    if (n >= Number(place)) now = n + 1;
  } else {
    const to = word === "up" ? Math.max(0, at - 1) : word === "down" ? at + 1 : Number(place);
    if (n === at) now = to;
    else if (at < n && n <= to) now = n - 1;
    else if (to <= n && n < at) now = n + 1;
  }
  return [list, now, ...rest].join(".");
}

// A part of a request after an operation: its name and value, or null when what it was about is gone.
export function after([name, value], operation) {
  if (name === "_op") {
    const [word, path, ...rest] = value.split(":"), now = followed(path, operation);
    return now === null ? null : [name, [word, now, ...rest].join(":")];
  }
  if (!/^[avp]\./.test(name)) return [name, value];
  const now = followed(name.slice(2), operation);
  return now === null ? null : [name.slice(0, 2) + now, value];
}

export function saving(editor, { send, swapping, swapped }) {
  const url = `${editor.dataset.url}/save`, words = document.querySelector("#notes").dataset;
  const queue = [];
  let busy = false, waiting = 0, shown = "", pressed = false, freed = null;

  function push(parts = [], to = url) {
    // A plain save that waits already will send whatever the form says then.
    const last = queue.at(-1);
    if (parts.length || to !== url || !last || (busy && queue.length === 1) || last.parts.length || last.to !== url) {
      queue.push({ parts, to });
    }
    work();
  }

  const value = (input) => (input.type === "checkbox" ? input.checked : input.value);
  function typed() {
    const found = new Map();
    for (const input of editor.querySelectorAll("[name^='v.'], [name^='p.']")) found.set(input.name, value(input));
    return found;
  }

  function unsaved(reason) {
    shown = "";
    const line = document.createElement("strong");
    line.className = "bad";
    line.textContent = words.unsaved.replace("{reason}", reason);
    document.querySelector("#state .status").replaceChildren(line);
  }

  async function work() {
    if (busy || !queue.length) return;
    busy = true;
    clearTimeout(waiting);
    const { parts, to } = queue[0], body = new FormData(editor), sent = typed();
    for (const [name, said] of parts) body.set(name, said);
    let answer = null, text = "";
    try {
      answer = await send(to, body);
      text = await answer.text();
    } catch { answer = null; }
    if (!answer?.ok) {
      busy = false;
      const plain = new DOMParser().parseFromString(text, "text/html").body.textContent.trim();
      unsaved(answer ? plain || words.failed : words.offline);
      // Only what may pass by itself is tried again by itself; a change on the disk is told by the server.
      if (!answer || answer.status >= 500) waiting = setTimeout(work, WAIT);
      return;
    }
    // What is replaced between the press and its end hears no click: the answer waits until the hand is off.
    if (pressed) await new Promise((free) => { freed = free; });
    busy = false;
    queue.shift();
    // What was done to a list, with the place that it led to, as the server tells it.
    const operation = decodeURIComponent(answer.headers.get("X-Studio-Did") ?? "");
    for (let n = queue.length - 1; operation && n >= 0; n--) {
      const now = queue[n].parts.map((part) => after(part, operation));
      if (now.includes(null)) queue.splice(n, 1); else queue[n].parts = now;
    }
    put(text, answer.headers.has("HX-Retarget"), sent, operation, parts);
    work();
  }

  function put(text, whole, sent, operation, parts) {
    const target = document.querySelector(whole ? "#editor-body" : "#state");
    if (!whole) {
      // The same again (a question that is still open) leaves what stands there, and where somebody is in it.
      if (text !== shown) {
        target.outerHTML = text;
        htmx.process(document.querySelector("#state"));
      }
      shown = text;
      swapped(false, operation);
      return;
    }
    // What was typed since is put back.
    const since = [...typed()].filter(([name, said]) => sent.get(name) !== said);
    const active = document.activeElement, where = editor.contains(active) && { id: active.id, name: active.name, from: active.selectionStart, to: active.selectionEnd };
    swapping();
    shown = "";
    target.innerHTML = text;
    htmx.process(target);
    let again = false;
    for (const part of since) {
      const [name, said] = (operation ? after(part, operation) : part) ?? [];
      const input = name && target.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
      if (!input || value(input) === said) continue;
      if (input.type === "checkbox") input.checked = said; else input.value = said;
      again = true;
    }
    const next = where && ((where.id && document.getElementById(where.id)) || (where.name && !/^_/.test(where.name) && target.querySelector(`[name="${CSS.escape(where.name)}"]`)));
    if (next && next !== document.activeElement) {
      next.focus({ preventScroll: true });
      if (typeof where.from === "number" && next.setSelectionRange && next.type !== "number") next.setSelectionRange(where.from, where.to);
    }
    swapped(true, operation, parts);
    if (again) push();
  }

  addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    addEventListener(end, (event) => {
      if (end === "blur" && event.target !== window) return;
      pressed = false;
      // The click comes after the press has ended.
      setTimeout(() => { if (!pressed) { freed?.(); freed = null; } });
    }, true);
  }

  editor.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    push(button?.name ? [[button.name, button.value]] : []);
  });
  editor.addEventListener("change", (event) => {
    const input = event.target;
    // What was decided in a conflict travels by itself as well: an answer under way replaces what it stands in.
    if (input.matches("[name^='c.']")) { push([[input.name, input.value]]); return; }
    if (!input.matches("select[name^='a.']")) { push(); return; }
    // It is a choice and no state: the list is free for the next one at once.
    if (input.value) push([[input.name, input.value]]);
    input.value = "";
  });
  editor.addEventListener("studio-sync", () => push());
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-save-to]");
    // What is told of the band is not so any more; the page asks anew when it is saved.
    if (button) document.querySelector("#panel")?.classList.add("asked");
    if (button) push(Object.entries(JSON.parse(button.dataset.with ?? "{}")), button.dataset.saveTo);
  });
  // What waits for a broken file is on this page alone.
  addEventListener("beforeunload", (event) => { if (queue.length || document.querySelector("#state [data-unsaved]")) event.preventDefault(); });
}
