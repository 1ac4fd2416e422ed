// What becomes of a try while its page is open. Without this script, the page loads again by itself.
"use strict";
const live = document.getElementById("live");
const events = new EventSource(live.dataset.live);
const show = (id, text) => {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
};
events.addEventListener("standing", (event) => {
  const { state, place, seconds, examined } = JSON.parse(event.data);
  const runs = state === "running";
  show("live-title", runs ? "Your notebook is being graded" : "Your notebook is in the queue");
  const left = seconds ? `About ${seconds} seconds more.` : "It takes longer than most do.";
  show("live-said", runs ? left : `Place ${place}, about ${seconds} seconds.`);
  for (const each of document.querySelectorAll("[data-exercise]")) {
    const done = examined.includes(each.dataset.exercise);
    each.className = done ? "held" : "";
    each.firstElementChild.textContent = done ? "✓" : "…";
  }
});
events.addEventListener("done", () => {
  events.close();
  location.reload();
});
