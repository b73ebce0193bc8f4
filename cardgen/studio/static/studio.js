// What Studio's pages do by themselves: previews while somebody types, dialogs, filters, and the events of the server.
// Everything else is HTML from the server, put in its place by htmx.
import { recruiting } from "./recruit.js";
import { cropping } from "./crop.js";
import { reordering } from "./reorder.js";
import { followed, saving } from "./saving.js";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
let token = $('meta[name="csrf"]').content;
const page = Math.random().toString(36).slice(2);

export function note(text) {
  const line = document.createElement("p");
  line.textContent = text;
  $("#notes").append(line);
  setTimeout(() => line.remove(), 8000);
}

// Asks with the token; a Studio that was started anew has another, which is fetched, and asked again.
async function ask(url, request) {
  const go = () => fetch(url, { ...request, headers: { ...request.headers, "X-CSRF-Token": token } });
  const answer = await go();
  if (answer.status !== 403 || !answer.headers.has("X-Studio-Token-Old")) return answer;
  const fresh = await fetch("/token");
  if (!fresh.ok) return answer;
  token = await fresh.text();
  return go();
}

export async function send(url, body) {
  return ask(url, { method: "POST", body });
}

document.addEventListener("htmx:config:request", (event) => { event.detail.ctx.fetch = ask; });
document.addEventListener("htmx:response:error", async (event) => {
  $("#mends .searching")?.remove();
  const raw = event.detail.ctx?.response?.raw;
  const text = event.detail.ctx?.text ?? (raw && !raw.bodyUsed ? await raw.clone().text() : "");
  note(text && !text.startsWith("<") ? text : $("#notes").dataset.failed);
});
// A form is sent once: its mark is used up with the answer, and what is asked again after that is meant.
document.addEventListener("htmx:finally:request", (event) => {
  const form = (event.detail?.ctx?.sourceElement ?? event.target).closest?.("form");
  for (const mark of form ? $$("input[name=_once]", form) : []) mark.value = crypto.randomUUID();
});
document.addEventListener("htmx:error", (event) => {
  if (event.detail?.error instanceof TypeError) note($("#notes").dataset.offline);
});
// What is refused is told in a note, never put into the page.
document.addEventListener("htmx:before:swap", (event) => {
  const status = event.detail.ctx?.response?.status;
  if (status >= 400) event.preventDefault();
});

// Only now, when the extension is surely there: htmx may have looked at the page before it was.
$("#events").setAttribute("hx-sse:connect", "/events");
htmx.process($("#events"));

// --- the editor ------------------------------------------------------------------------------------------------------

const editor = $("#editor");
const sync = () => editor.dispatchEvent(new Event("studio-sync"));
let drawing = false, again = false, idle = 0, lastPanel = null;
// What fixes did, from the click on them until something else is changed: `asked` until it is saved, `fresh` until it is told.
const fixes = { asked: null, done: null, fresh: false };

async function draw() {
  if (drawing) { again = true; return; }
  drawing = true;
  // What stands there is of what was, until it is judged anew; where it cannot be, it stays grey.
  $("#panel")?.classList.add("asked");
  const started = performance.now();
  try {
    const body = new FormData(editor);
    body.set("_page", page);
    body.set("_scale", String(devicePixelRatio || 1));
    if (fixes.done) body.set("_applied", fixes.done);
    const answer = await send(`${editor.dataset.url}/preview`, body);
    if (answer.status === 503) setTimeout(draw, 1000);
    else if (answer.ok && answer.status !== 204) await show(await answer.json(), started);
  } catch { note($("#notes").dataset.offline); }
  drawing = false;
  if (again) { again = false; draw(); }
}

async function show(look, started) {
  for (const place of $$("[data-error-for]", editor)) {
    const text = look.errors[place.dataset.errorFor] ?? "";
    if (place.textContent !== text) place.textContent = text;
    const input = document.getElementById(place.id.replace(/-error$/, ""));
    if (input && input.tagName !== "FIELDSET") {
      if (text) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    }
  }
  const list = $("#warnings");
  list.replaceChildren(...Object.entries(look.warnings).map(([path, text]) => {
    const item = document.createElement("li");
    item.textContent = (path ? `${look.titles[path] ?? path}: ` : "") + text;
    return item;
  }));
  const known = new Set($$("[data-error-for]", editor).map((place) => place.dataset.errorFor));
  for (const [path, text] of Object.entries(look.errors)) {
    if (known.has(path)) continue;
    const item = document.createElement("li");
    item.className = "error";
    item.textContent = (path ? `${look.titles[path] ?? path}: ` : "") + text;
    list.append(item);
  }
  for (const place of $$("[data-span-for]", editor)) {
    const span = look.spans?.[place.dataset.path], input = document.getElementById(place.dataset.spanFor);
    if (!span || !input) continue;
    const [printed, told, least, most, fixed] = span;
    [input.placeholder, place.textContent, place.hidden] = [printed || input.dataset.default, told, !told];
    [input.min, input.max] = [least || input.dataset.least, most || input.dataset.most];
    // What somebody stated, or is just taking out, is theirs to change.
    input.disabled = Boolean(fixed) && !input.value && !input.defaultValue;
  }
  for (const place of $$("[data-untrained]", editor)) {
    const text = look.untrained?.[place.dataset.untrained] ?? "";
    if (place.innerHTML.trim() !== text.trim()) place.innerHTML = text;
    place.hidden = !text;
  }
  const panel = $("#panel");
  if (look.panel !== undefined) panel?.classList.remove("asked");
  // What is as it was stays, and with it the fixes that were found for it.
  if (panel && look.panel !== undefined && look.panel !== lastPanel) {
    lastPanel = look.panel;
    const within = panel.contains(document.activeElement) && document.activeElement;
    const open = new Set($$("details[open]", panel).map((item) => item.id).filter(Boolean));
    panel.innerHTML = look.panel;
    for (const item of $$("details", panel)) if (open.has(item.id)) item.open = true;
    htmx.process(panel);
    // Whoever stood in what was replaced stands in what took its place; who had fixes made, where it is told what they did.
    const told = fixes.fresh && $("#applied", panel);
    if (told) fixes.fresh = false;
    if (told || within) (told || (within.id && document.getElementById(within.id)) || panel).focus({ preventScroll: !told });
    if ("fixes" in panel.dataset) { delete panel.dataset.fixes; $("#show-fixes")?.click(); }
  }
  const picture = $("#preview");
  picture.classList.toggle("stale", !look.png && !picture.hidden && Object.keys(look.errors).length > 0);
  if (look.png) {
    const next = new Image();
    next.src = look.png;
    await next.decode();
    picture.src = look.png;
    picture.alt = look.alt;
    // As large as it prints where there is room, by the width of a CSS millimetre.
    picture.style.width = `${look.size[0] * 96 / 25.4 * 1.15}px`;
    picture.hidden = false;
    $("#no-picture").hidden = true;
    picture.title = `${Math.round(performance.now() - started)} ms`;
    picture.dataset.drawn = String(Number(picture.dataset.drawn ?? 0) + 1);
  } else if (!Object.keys(look.errors).length) {
    picture.hidden = true;
    $("#no-picture").hidden = false;
  }
}

// The id of what belongs to a list's item after an operation on the list; null: the item is gone.
function settled(id, operation) {
  const list = operation?.split(":")[1]?.replace(/\.\d+$/, ""), start = list && `f-${list.replaceAll(".", "-")}-`;
  const [, n, rest] = (start && id.startsWith(start) && id.slice(start.length).match(/^(\d+)(-.*)?$/)) || [];
  if (n === undefined) return id;
  const now = followed(`${list}.${n}`, operation);
  return now === null ? null : start + now.slice(list.length + 1) + (rest ?? "");
}

if (editor) {
  let open = new Set(), entries = 0;
  // What is edited is called by its name in the heading and on the tab, whoever changed it.
  const entitle = () => {
    const heading = $("[data-title]"), name = editor.elements[`v.${heading?.dataset.title}`]?.value;
    if (!name) return;
    heading.textContent = name;
    document.title = name + heading.dataset.rest;
  };
  const forget = () => { fixes.asked = fixes.done = null; };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-save-to]");
    if (button) { forget(); fixes.asked = button.dataset.done ?? null; }
  }, true);
  editor.addEventListener("change", forget);
  editor.addEventListener("submit", forget, true);
  editor.addEventListener("input", (event) => {
    forget();
    entitle();
    draw();
    // Whoever stops typing has it saved, without leaving the field.
    clearTimeout(idle);
    if (event.target.matches("input[type=text], input[type=number], textarea")) idle = setTimeout(() => sync(), 1500);
  });
  editor.addEventListener("change", (event) => {
    clearTimeout(idle);
    if (event.target.matches("select[name^='v.']")) {
      const parameter = event.target.parentElement.querySelector("input[name^='p.']");
      if (parameter) parameter.hidden = false;
    }
  });
  editor.addEventListener("focusin", (event) => {
    const entry = event.target.closest("[data-entry]")?.dataset.entry;
    if (entry !== undefined && editor._entry.value !== entry) { editor._entry.value = entry; draw(); }
  });
  // What can be added says by itself what does not go with the band, and why, when somebody is about to choose.
  editor.addEventListener("focusin", async (event) => {
    const list = event.target.closest("select[data-fits]");
    if (!list) return;
    const body = new FormData(editor);
    for (const [name, value] of Object.entries({ _path: list.dataset.path, _judged: "1", _quick: "1" })) body.set(name, value);
    const answer = await send(list.dataset.fits, body);
    if (!answer.ok) return;
    const reasons = await answer.json();
    for (const option of list.options) {
      option.dataset.title ??= option.textContent;
      const reason = reasons[option.value];
      option.disabled = Boolean(reason);
      option.textContent = option.dataset.title + (reason ? ` — ${reason}` : "");
    }
    list.dataset.judged = "1";
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-look]")) draw();
    // What the form owns outside of it is heard here.
    if (event.target.matches("[data-save]")) { forget(); sync(); draw(); }
  });
  saving(editor, {
    send,
    swapping() {
      open = new Set($$("details[open]", editor).map((item) => item.id));
      entries = $$("[data-entry]", editor).length;
    },
    swapped(whole, operation, parts) {
      if (whole) {
        entitle();
        // A save that was asked for before the click on the fixes says nothing of them.
        if (parts.some(([name]) => name === "_tree")) {
          if (fixes.asked && !$("#state .status .bad")) { fixes.done = fixes.asked; fixes.fresh = true; }
          fixes.asked = null;
        }
        // What was open is what it was about, wherever an operation has put that.
        open = new Set([...open].map((id) => settled(id, operation)));
        for (const item of $$("details", editor)) if (open.has(item.id)) item.open = true;
        // Who was just recruited or copied is who is wanted next; else whoever was, and where nobody is left, the last.
        const all = $$("[data-entry]", editor);
        if (all.length > entries && entries) {
          const [word, , place] = operation?.split(":") ?? [];
          const made = all[word === "twin" ? Number(place) : all.length - 1] ?? all.at(-1);
          editor._entry.value = made.dataset.entry;
          made.querySelector("details")?.setAttribute("open", "");
          made.scrollIntoView({ block: "nearest" });
        } else if (!all[Number(editor._entry.value)]) {
          editor._entry.value = all.at(-1)?.dataset.entry ?? "0";
        }
        draw();
      }
      document.dispatchEvent(new CustomEvent("studio-saved", { detail: { whole, operation } }));
    },
  });
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "s") { event.preventDefault(); sync(); }
    // Inside of a text the browser's own undo is what is meant.
    const typing = event.target.matches?.("input[type=text], input[type=number], textarea");
    if (key === "z" && !typing) { event.preventDefault(); $(event.shiftKey ? "[data-redo]" : "[data-undo]")?.click(); }
    if (key === "y" && !typing) { event.preventDefault(); $("[data-redo]")?.click(); }
  });
  document.addEventListener("studio-changed", (event) => {
    const said = parsed(event);
    // Our own saves are told as well, perhaps before their answer is here.
    setTimeout(() => {
      if (said.url === editor.dataset.url && said.revision !== $("#state")?.dataset.revision) sync();
    }, 500);
  });
  document.addEventListener("studio-reloaded", () => { sync(); draw(); });
  // A Studio that was started anew has told nothing of what happened meanwhile, and what was asked of the one before is
  // never answered.
  let studio = null;
  document.addEventListener("studio-here", (event) => {
    const { id } = parsed(event);
    if (studio !== null && id !== studio) { sync(); draw(); }
    studio = id;
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sync(); });
  reordering(editor, (place) => { editor._entry.value = String(place); });
  draw();
}

function parsed(event) {
  try { return JSON.parse(event.detail?.data ?? "{}"); } catch { return {}; }
}

// Lists follow what others change.
const lists = $$("[data-reload]");
if (lists.length) {
  const reload = async () => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const there = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const list of lists) {
      const fresh = there.getElementById(list.id);
      if (fresh && fresh.innerHTML !== list.innerHTML) { list.replaceChildren(...fresh.childNodes); htmx.process(list); }
    }
  };
  document.addEventListener("studio-reloaded", reload);
  document.addEventListener("studio-changed", reload);
}

// A picture that is not there is told in words. One that had to wait for too many others is asked for once more.
const missed = (picture) => {
  if (!picture.matches?.("img[loading=lazy]")) return;
  if (!picture.dataset.again) {
    picture.dataset.again = "1";
    setTimeout(() => { picture.src = picture.src; }, 1500);
    return;
  }
  const told = document.createElement("span");
  told.className = "faint none";
  told.textContent = $("#notes").dataset.pictureless;
  picture.replaceWith(told);
};
document.addEventListener("error", (event) => missed(event.target), true);
for (const picture of $$("img[loading=lazy]")) if (picture.complete && !picture.naturalWidth) missed(picture);

// --- everywhere ------------------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  // The first search of all takes a while.
  const mends = event.target.closest("#show-fixes") && $("#mends");
  if (mends && !mends.children.length) {
    const told = document.createElement("p");
    told.className = "faint searching";
    told.textContent = mends.dataset.searching;
    mends.append(told);
  }
  const opener = event.target.closest("[data-open]");
  if (opener?.dataset.open === "#print-band") $("#print-warning").textContent = $("#panel [data-warning]")?.dataset.warning ?? "";
  if (opener) { $(opener.dataset.open)?.showModal(); $("#context")?.setAttribute("hidden", ""); }
  if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
  const closer = event.target.closest("[data-closes]");
  if (closer) setTimeout(() => $(closer.dataset.closes)?.close(), 0);
  if (event.target.closest("[data-all]")) {
    const boxes = $$("input[type=checkbox]", event.target.closest("fieldset"));
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !all;
  }
  if (event.target.closest("[data-view]") && $("#viewer")) $("#viewer").hidden = false;
  if (event.target.closest("#theme")) {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("studio-theme", root.dataset.theme);
  }
});

document.addEventListener("input", (event) => {
  const filter = event.target.dataset?.filter;
  if (!filter) return;
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of $$(filter)) item.hidden = !words.every((word) => (item.dataset.text ?? item.textContent.toLowerCase()).includes(word));
});

recruiting();
cropping();
