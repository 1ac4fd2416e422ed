// Keys for what the page offers anyway: each element says its own in `aria-keyshortcuts`.
"use strict";

const form = document.getElementById("grade");

function isTyping(element) {
  return element.matches("textarea, input:not([type=checkbox], [type=radio])");
}

function use(element) {
  if (isTyping(element)) {
    element.focus();
  } else {
    element.click();
  }
}

document.addEventListener("keydown", (event) => {
  const from = event.target instanceof Element ? event.target : document.body;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    from.closest("form")?.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(from)) {
    if (event.key === "Escape") from.blur();
    return;
  }
  // A key that is held down must not go through answers that nobody has looked at.
  if (event.repeat && event.key.length === 1) return;
  if (event.key === "Enter" && (event.repeat || from.matches("a, button, summary"))) {
    if (event.repeat) event.preventDefault();
    return;
  }
  const found = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (found) {
    event.preventDefault();
    use(found);
  }
});

function sum() {
  const ticked = [...form.querySelectorAll("[data-points]:checked")];
  const most = Number(form.dataset.most);
  const given = form.elements.points.value.trim() || form.querySelector("[name=whole]:checked")?.value;
  const nothing = form.elements.nothing?.checked;
  const total = ticked.reduce((points, box) => points + Number(box.dataset.points), 0);
  const shown = given || (ticked.length || nothing ? Math.min(Math.max(total, 0), most) : "–");
  document.getElementById("sum").textContent = `${shown} of ${most}`;
}

if (form) {
  form.addEventListener("change", (event) => {
    const nothing = form.elements.nothing;
    if (nothing && event.target === nothing && nothing.checked) {
      form.querySelectorAll("[data-points]").forEach((box) => { box.checked = false; });
    } else if (nothing && event.target.matches("[data-points]") && event.target.checked) {
      nothing.checked = false;
    }
    sum();
  });
  form.addEventListener("input", sum);
  sum();
}

// Handwriting is read in the whole window, with the text around it; other keys go on working.
const enlarge = document.getElementById("enlarge");
enlarge?.addEventListener("click", () => {
  const isLarge = document.getElementById("text").classList.toggle("large");
  enlarge.setAttribute("aria-pressed", isLarge);
});

// Sent once: the same again would only say that it has changed meanwhile.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form").forEach((each) => { delete each.dataset.sent; });
});
