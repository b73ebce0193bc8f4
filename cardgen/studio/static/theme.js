// The theme that was chosen, before anything is drawn; without one the system's holds.
const kept = localStorage.getItem("studio-theme");
if (kept) document.documentElement.dataset.theme = kept;
