// Recruiting on the board: drag, or select and shift-click, or the keyboard.
import { note, send } from "./studio.js";

export function recruiting() {
  const pool = document.querySelector("#pool"), tiles = document.querySelector("#tiles");
  if (!pool || !tiles) return;
  const items = () => [...pool.children].filter((item) => !item.hidden);
  const chosen = () => [...pool.querySelectorAll('[aria-selected="true"]')];
  let last = null;

  function choose(item, on) {
    item.setAttribute("aria-selected", String(on));
    const ids = chosen().map((one) => one.dataset.card);
    for (const button of document.querySelectorAll("[data-recruit]")) {
      button.disabled = !ids.length;
      button.textContent = ids.length ? button.dataset.some.replace("{count}", ids.length) : button.dataset.none;
    }
    document.querySelector("[data-selected]").value = ids.join(" ");
    const names = document.querySelector("[data-selected-names]");
    names.textContent = ids.length ? chosen().map((one) => one.firstElementChild.textContent).join(", ") : names.dataset.none;
  }

  function pick(item, { shift = false, control = false } = {}) {
    if (shift && last) {
      const all = items(), [from, to] = [all.indexOf(last), all.indexOf(item)].sort((a, b) => a - b);
      for (const one of all.slice(from, to + 1)) choose(one, true);
    } else {
      const on = item.getAttribute("aria-selected") !== "true";
      if (!control) for (const one of chosen()) if (one !== item) choose(one, false);
      choose(item, on);
      last = item;
    }
    go(item);
  }

  function go(item) {
    for (const one of pool.children) one.tabIndex = one === item ? 0 : -1;
    item.focus();
  }

  async function recruit(tile, ids) {
    if (!ids.length) return;
    const body = new FormData();
    body.set("_recruit", ids.join(" "));
    const answer = await send(`${tile.dataset.band}/recruit`, body);
    const text = await answer.text();
    if (!answer.ok) { note(text); return; }
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(".tile");
    tile.replaceWith(fresh);
    htmx.process(fresh);
    for (const one of chosen()) choose(one, false);
    fresh.focus();
  }

  pool.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item) pick(item, { shift: event.shiftKey, control: event.ctrlKey || event.metaKey });
  });
  pool.addEventListener("keydown", (event) => {
    const item = event.target.closest("li"), all = items(), at = all.indexOf(item);
    const next = { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1) }[event.key];
    if (next) { event.preventDefault(); if (event.shiftKey) choose(next, true); go(next); }
    if (event.key === " " || event.key === "Enter") { event.preventDefault(); pick(item, { control: true }); }
  });
  pool.addEventListener("dragstart", (event) => {
    const item = event.target.closest("li");
    const ids = item.getAttribute("aria-selected") === "true" ? chosen().map((one) => one.dataset.card) : [item.dataset.card];
    event.dataTransfer.setData("text/plain", ids.join(" "));
    event.dataTransfer.effectAllowed = "copy";
  });
  tiles.addEventListener("dragover", (event) => {
    const tile = event.target.closest(".tile");
    if (tile) { event.preventDefault(); event.dataTransfer.dropEffect = "copy"; tile.classList.add("over"); }
  });
  tiles.addEventListener("dragleave", (event) => event.target.closest(".tile")?.classList.remove("over"));
  tiles.addEventListener("drop", (event) => {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    event.preventDefault();
    tile.classList.remove("over");
    recruit(tile, event.dataTransfer.getData("text/plain").split(" ").filter(Boolean));
  });
  tiles.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (tile && (event.target.closest("[data-recruit]") || event.shiftKey)) {
      event.preventDefault();
      recruit(tile, chosen().map((one) => one.dataset.card));
    }
  });
  const menu = document.querySelector("#context");
  document.querySelector(".board").addEventListener("contextmenu", (event) => {
    const item = event.target.closest("#pool li");
    if (!item && event.target.closest(".tile, a, input")) return;
    event.preventDefault();
    if (item && item.getAttribute("aria-selected") !== "true") pick(item);
    // The bands that there are now: another tab may have made one.
    for (const old of menu.querySelectorAll("[data-into]")) old.remove();
    for (const tile of chosen().length ? tiles.querySelectorAll(".tile") : []) {
      const line = document.createElement("li"), button = document.createElement("button");
      line.setAttribute("role", "none");
      line.dataset.into = tile.dataset.band;
      [button.type, button.textContent] = ["button", menu.dataset.into.replace("{name}", tile.querySelector("h2").textContent.trim())];
      button.setAttribute("role", "menuitem");
      line.append(button);
      menu.append(line);
    }
    menu.hidden = false;
    menu.style.left = `${event.pageX}px`;
    menu.style.top = `${event.pageY}px`;
    menu.querySelector("button").focus();
  });
  menu.addEventListener("click", (event) => {
    const into = event.target.closest("[data-into] button")?.closest("[data-into]").dataset.into;
    if (!into) return;
    menu.hidden = true;
    const tile = [...tiles.querySelectorAll(".tile")].find((one) => one.dataset.band === into);
    if (tile) recruit(tile, chosen().map((one) => one.dataset.card));
  });
  document.addEventListener("click", (event) => { if (!event.target.closest("#context")) menu.hidden = true; });
  addEventListener("keydown", (event) => { 
    if (event.key !== "Escape") return;
    // First what is open is closed, then nobody is selected any more.
    if (!menu.hidden) { menu.hidden = true; return; }
    if (!document.querySelector("dialog[open]")) for (const one of chosen()) choose(one, false);
  });
  if (pool.firstElementChild?.dataset.card) choose(pool.firstElementChild, false);
}
