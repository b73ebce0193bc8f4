// A picture of one's own: dropped or chosen, placed in a frame by mouse, touch or keys, sent with where to crop it.
import { send } from "./studio.js";

export function cropping() {
  const dialog = document.querySelector("#crop");
  if (!dialog) return;
  const form = dialog.querySelector("form"), file = dialog.querySelector("input[type=file]"), drop = dialog.querySelector(".drop");
  const stage = dialog.querySelector(".stage"), canvas = stage.querySelector("canvas"), paint = canvas.getContext("2d");
  const shape = dialog.querySelector("[data-shape]"), zoom = dialog.querySelector("[data-zoom]"), keep = dialog.querySelector("[data-store]");
  const problem = dialog.querySelector(".error");
  let select = null, sent = null, picture = null, x = 0.5, y = 0.5;

  // The frame in the picture's own measure: its size by shape and zoom, its middle at x, y.
  function frame() {
    const own = picture.naturalWidth / picture.naturalHeight, ratio = Number(shape.value) || own;
    let w = Math.min(1, ratio / own), h = Math.min(1, own / ratio);
    const factor = 1 - Number(zoom.value) / 125;
    w *= factor; h *= factor;
    x = Math.min(1 - w / 2, Math.max(w / 2, x));
    y = Math.min(1 - h / 2, Math.max(h / 2, y));
    return { x: x - w / 2, y: y - h / 2, w, h };
  }

  function show() {
    if (!picture) return;
    const scale = Math.min(canvas.width / picture.naturalWidth, canvas.height / picture.naturalHeight);
    const w = picture.naturalWidth * scale, h = picture.naturalHeight * scale;
    const left = (canvas.width - w) / 2, top = (canvas.height - h) / 2, cut = frame();
    paint.clearRect(0, 0, canvas.width, canvas.height);
    paint.drawImage(picture, left, top, w, h);
    paint.fillStyle = "rgb(0 0 0 / .6)";
    paint.beginPath();
    paint.rect(left, top, w, h);
    paint.rect(left + cut.x * w, top + cut.y * h, cut.w * w, cut.h * h);
    paint.fill("evenodd");
    paint.strokeStyle = "#f2d75a";
    paint.lineWidth = 2;
    paint.strokeRect(left + cut.x * w, top + cut.y * h, cut.w * w, cut.h * h);
    stage.dataset.frame = JSON.stringify(cut);
  }

  function take(chosen) {
    problem.textContent = "";
    if (!chosen) return;
    // What cannot be used says so here, before anybody places it; the bounds are those of the server.
    const refuse = (why) => {
      [sent, picture] = [null, null];
      problem.textContent = problem.dataset[why];
      keep.disabled = true;
      for (const part of [stage, ...dialog.querySelectorAll(".crop-tools")]) part.hidden = true;
    };
    if (!chosen.size) { refuse("empty"); return; }
    if (chosen.size > 25e6) { refuse("large"); return; }
    if (chosen.type && !/^image\/(jpeg|png|webp)$/.test(chosen.type)) { refuse("none"); return; }
    const next = new Image(), url = URL.createObjectURL(chosen);
    next.onload = () => {
      if (next.naturalWidth * next.naturalHeight > 50e6) { refuse("pixels"); return; }
      if (Math.min(next.naturalWidth, next.naturalHeight) < 16) { refuse("small"); return; }
      [sent, picture, x, y, zoom.value] = [chosen, next, 0.5, 0.5, 0];
      for (const part of [stage, ...dialog.querySelectorAll(".crop-tools")]) part.hidden = false;
      keep.disabled = false;
      show();
      stage.focus();
    };
    next.onerror = () => refuse("none");
    next.src = url;
  }

  function move(dx, dy) { x += dx; y += dy; show(); }
  function closer(by) { zoom.value = Number(zoom.value) + by; show(); }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-upload]");
    if (!button) return;
    select = button.dataset.upload;
    // Whose picture it is and where it goes: forms have several.
    const whose = button.closest("details")?.querySelector("summary").textContent.trim();
    const title = dialog.querySelector("h2");
    title.textContent = title.dataset.of.replace("{field}", () => [whose, button.dataset.label].filter(Boolean).join(" · "));
    // The frame of the card's own comes first, so that nothing is cropped again when it prints.
    shape.querySelector("[data-own]")?.remove();
    if (button.dataset.ratio) {
      const own = new Option(button.dataset.shapeTitle, button.dataset.ratio);
      own.dataset.own = "1";
      shape.prepend(own);
    }
    shape.selectedIndex = 0;
    [picture, sent] = [null, null];
    file.value = "";
    problem.textContent = "";
    keep.disabled = true;
    for (const part of [stage, ...dialog.querySelectorAll(".crop-tools")]) part.hidden = true;
    dialog.showModal();
  });
  file.addEventListener("change", () => take(file.files[0]));
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop") take(event.dataTransfer.files[0]);
    });
  }
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held || !picture) return;
    const scale = Math.min(canvas.width / picture.naturalWidth, canvas.height / picture.naturalHeight);
    move((event.clientX - held[0]) / (picture.naturalWidth * scale), (event.clientY - held[1]) / (picture.naturalHeight * scale));
    held = [event.clientX, event.clientY];
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  stage.addEventListener("wheel", (event) => { event.preventDefault(); closer(event.deltaY < 0 ? 4 : -4); }, { passive: false });
  stage.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.05 : 0.01;
    const act = { ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step),
      "+": () => closer(4), "-": () => closer(-4) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  zoom.addEventListener("input", show);
  shape.addEventListener("change", show);
  keep.addEventListener("click", async () => {
    const cut = frame(), body = new FormData();
    body.set("file", sent);
    for (const side of ["x", "y", "w", "h"]) body.set(side, cut[side]);
    keep.disabled = true;
    const answer = await send(form.dataset.crop, body);
    keep.disabled = false;
    if (!answer.ok) { problem.textContent = await answer.text(); return; }
    const { name } = await answer.json(), field = document.getElementById(select);
    field.append(new Option(name, name));
    field.value = name;
    dialog.close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });
}
