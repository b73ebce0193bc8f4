// The review of translations: what is typed is kept, drawn and measured; nobody's work is lost to another's.
import { note, send } from "./studio.js";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const review = $(".review");
const base = review.dataset.base, unit = review.dataset.unit;
const page = Math.random().toString(36).slice(2);
const IDLE = 1500;

const area = (row) => $("textarea", row);
// What the page showed when the text was loaded, kept apart from what is typed.
const shown = new WeakMap(), timers = new WeakMap(), turns = new WeakMap();
const typed = (row) => area(row).value !== shown.get(row);

function known(row) {
  shown.set(row, area(row).value);
  area(row).style.height = "";
  grow(area(row));
}

function grow(field) {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 4}px`;
}

// --- saving ----------------------------------------------------------------------------------------------------------

// Saves of one text follow one another: each knows what the one before it wrote.
function save(row, verdict) {
  clearTimeout(timers.get(row));
  const turn = (turns.get(row) ?? Promise.resolve()).then(() => saveNow(row, verdict));
  turns.set(row, turn.catch(() => undefined));
  return turn;
}

// A text that does not fit is kept as a draft and asked about: who says so again, of the same text, has seen it.
async function accept(row) {
  for (let tries = 0; tries < 30 && (drawing || again); tries++) await new Promise((done) => setTimeout(done, 100));
  if ($(".fit", row).classList.contains("over") && row.dataset.asked !== area(row).value) {
    await save(row, "draft");
    row.dataset.asked = area(row).value;
    const ask = document.createElement("strong");
    ask.className = "bad";
    ask.textContent = `${$(".fit", row).textContent}. ${review.dataset.unfit}`;
    $(".row .status", row).replaceChildren(ask);
    return null;
  }
  return save(row, "accepted");
}

async function saveNow(row, verdict) {
  if (verdict === "draft" && (!typed(row) || $(".conflict", row))) return null;
  const body = new FormData(), text = area(row).value;
  for (const [name, value] of Object.entries({ context: row.dataset.context, text, verdict, seen: row.dataset.seen, shown: shown.get(row) })) body.set(name, value);
  let answer;
  try { answer = await send(`${base}/save`, body); } catch { note($("#notes").dataset.offline); return null; }
  if (!answer.ok) { note(await answer.text()); return null; }
  const said = await answer.json();
  for (const place of $$("[data-count]")) if (place.dataset.count in said.counts) place.textContent = said.counts[place.dataset.count];
  const fresh = new DOMParser().parseFromString(said.row, "text/html").querySelector("article");
  if (said.conflict) {
    $(".conflict", row)?.remove();
    const ask = $(".conflict", fresh);
    ask.dataset.seen = said.revision;
    ask.dataset.target = said.target;
    row.append(ask);
    return said;
  }
  put(row, fresh, text, said);
  return said;
}

// The row as the file has it, around the field that is being typed in.
function put(row, fresh, sent, said) {
  const field = area(row), going = field.value;
  $(".conflict", row)?.remove();
  row.className = fresh.className;
  row.dataset.seen = said.revision;
  row.dataset.state = said.state;
  for (const part of ["header .state", ".row .status"]) $(part, row).replaceWith($(part, fresh));
  for (const old of $$(".source", row)) old.remove();
  for (const line of $$(".source", fresh)) field.before(line);
  shown.set(row, said.target);
  // What was typed meanwhile stays.
  if (going === sent && going !== said.target) { field.value = said.target; grow(field); draw(); }
}

review.addEventListener("input", (event) => {
  const row = event.target.closest("article.text");
  if (!row) return;
  grow(event.target);
  draw();
  clearTimeout(timers.get(row));
  timers.set(row, setTimeout(() => save(row, "draft"), IDLE));
});
review.addEventListener("change", (event) => {
  const row = event.target.closest("article.text");
  if (row) save(row, "draft");
  if (event.target.id === "side") draw();
});

review.addEventListener("click", async (event) => {
  const row = event.target.closest("article.text");
  const button = event.target.closest("button");
  if (!row || !button) return;
  if (button.dataset.verdict === "accepted") await accept(row);
  else if (button.dataset.verdict) await save(row, button.dataset.verdict);
  if (button.dataset.choice) {
    const ask = $(".conflict", row);
    row.dataset.seen = ask.dataset.seen;
    shown.set(row, ask.dataset.target);
    if (button.dataset.choice === "theirs") area(row).value = ask.dataset.target;
    ask.remove();
    area(row).focus();
    // Once more even when nothing is typed any more: the row shows its state then.
    await (typed(row) ? save(row, "draft") : reread());
    draw();
  }
});

// --- from text to text -----------------------------------------------------------------------------------------------

function go(row, by, open = false) {
  const all = $$("article.text", review);
  for (let at = all.indexOf(row) + by; at >= 0 && at < all.length; at += by) {
    if (open && all[at].dataset.state === "done") continue;
    area(all[at]).focus();
    all[at].scrollIntoView({ block: "nearest" });
    return true;
  }
  return false;
}

async function leave(selector) {
  await Promise.all($$("article.text", review).map((row) => save(row, "draft")));
  const link = $(selector);
  if (link) location.href = link.href;
}

addEventListener("keydown", async (event) => {
  const row = event.target.closest?.("article.text");
  if (event.altKey && (event.key === "PageDown" || event.key === "PageUp")) {
    event.preventDefault();
    await leave(event.key === "PageDown" ? "[data-after]" : "[data-before]");
    return;
  }
  if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    go(row, event.key === "ArrowDown" ? 1 : -1);
    return;
  }
  if (!row || !(event.ctrlKey || event.metaKey)) return;
  if (event.key.toLowerCase() === "s") { event.preventDefault(); save(row, "draft"); }
  if (event.key === "Enter") {
    event.preventDefault();
    const said = await accept(row);
    if (said && !said.conflict && !said.taken && !said.problem && !go(row, 1, true)) await leave("[data-after]");
  }
});

// --- pictures and remarks --------------------------------------------------------------------------------------------

let drawing = false, again = false;

async function draw() {
  if (!unit) return;
  if (drawing) { again = true; return; }
  drawing = true;
  try {
    const body = new FormData();
    body.set("page", page);
    body.set("scale", String(devicePixelRatio || 1));
    body.set("side", $("#side")?.value ?? "front");
    for (const row of $$("article.text", review)) body.set(`t.${row.dataset.context}`, area(row).value);
    const answer = await send(`${base}/${unit}/preview`, body);
    if (answer.status === 503) setTimeout(draw, 1000);
    else if (answer.ok && answer.status !== 204) await show(await answer.json());
  } catch { note($("#notes").dataset.offline); }
  drawing = false;
  if (again) { again = false; draw(); }
}

async function show(look) {
  for (const row of $$("article.text", review)) {
    const context = row.dataset.context, list = $(".warnings", row), fit = $(".fit", row);
    const texts = look.remarks[context] ?? [];
    if ([...list.children].map((item) => item.textContent).join("\n") !== texts.join("\n")) {
      list.replaceChildren(...texts.map((text) => {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
      }));
    }
    fit.textContent = look.fits[context] ?? "";
    fit.classList.toggle("over", look.over.includes(context));
  }
  if ($("#picture-problem")) $("#picture-problem").textContent = look.problem ?? "";
  for (const [name, picture] of Object.entries(look.pictures ?? {})) {
    const place = $(`[data-picture="${name}"]`), next = new Image();
    next.src = picture.png;
    await next.decode();
    place.src = picture.png;
    place.alt = picture.alt;
    place.hidden = false;
    place.dataset.drawn = String(Number(place.dataset.drawn ?? 0) + 1);
    $(".pictures").classList.toggle("lying", picture.size[0] > picture.size[1] * 1.1);
  }
}

// --- what others do --------------------------------------------------------------------------------------------------

// The page as it is now: rows that nobody types in follow it, in the others both sides meet when they are saved.
async function reread() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const row of $$("article.text", review)) {
    const now = $(`article.text[data-context="${CSS.escape(row.dataset.context)}"]`, fresh);
    if (!now || now.dataset.seen === row.dataset.seen) continue;
    if (typed(row)) { save(row, "draft"); continue; }
    const focused = document.activeElement === area(row);
    row.replaceWith(now);
    known(now);
    if (focused) area(now).focus();
  }
  for (const id of ["states"]) $(`#${id}`)?.replaceChildren(...$(`#${id}`, fresh).childNodes);
  draw();
}

function parsed(event) {
  try { return JSON.parse(event.detail?.data ?? "{}"); } catch { return {}; }
}

document.addEventListener("studio-translated", (event) => {
  const said = parsed(event);
  // Our own saves are told as well, perhaps before their answer is here.
  setTimeout(() => {
    const row = said.url === base && $(`article.text[data-context="${CSS.escape(said.context)}"]`, review);
    if (row && row.dataset.seen !== said.revision) reread();
  }, 500);
});
document.addEventListener("studio-reloaded", reread);
document.addEventListener("studio-changed", reread);
document.addEventListener("studio-measured", (event) => { if (parsed(event).url === base && $("#measuring")) location.reload(); });
// What was told before this page listened is asked for.
document.addEventListener("studio-here", async () => {
  if (!$("#measuring")) return;
  const answer = await fetch(location.href);
  if (answer.ok && !(await answer.text()).includes('id="measuring"')) location.reload();
});
addEventListener("beforeunload", (event) => { if ($$("article.text", review).some(typed)) event.preventDefault(); });

for (const row of $$("article.text", review)) known(row);
draw();
